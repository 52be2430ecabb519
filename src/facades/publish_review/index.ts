import { publishReview } from "./facade.ts"
import { post } from "./post.ts"

export const publishReviewFacade = publishReview.of(post)
