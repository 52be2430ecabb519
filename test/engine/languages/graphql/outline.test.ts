import { assert, describe, it } from "vitest"
import { graphql } from "../../../../src/engine/languages/graphql/index.ts"
import { outlineOf } from "../outline/support.ts"
import { factsOf } from "../support.ts"

const text = `"""A user"""
type User implements Node & Named @key(fields: "id") {
  "its id"
  id: ID!
  posts(first: Int = 10, order: [Order!]): [Post!]! @deprecated(reason: "x")
}
enum Order { ASC, DESC @internal }
union Any = User | Post
scalar Date
input Filter { a: Int = 1 b: [String!] = ["x"] }
extend type Query { me: User }
directive @internal on ENUM_VALUE
query Me($id: ID!) { user(id: $id) { ...Parts type } }
fragment Parts on User { id }
schema { query: Query }
`
describe("GraphQL", () => {
  it("lists types with their fields, operations and fragments", async () => {
    assert.deepStrictEqual(await outlineOf(graphql, text), [
      "object User 2-6",
      "field User.id 4-4",
      "field User.posts 5-5",
      "enum Order 7-7",
      "enum_member Order.ASC 7-7",
      "enum_member Order.DESC 7-7",
      "union Any 8-8",
      "type_alias Date 9-9",
      "struct Filter 10-10",
      "field Filter.a 10-10",
      "field Filter.b 10-10",
      "object Query 11-11",
      "field Query.me 11-11",
      "annotation internal 12-12",
      "query Me 13-13",
      "fragment Parts 14-14"
    ])
  })
  it("keeps descriptions and declarations", async () => {
    const facts = await factsOf(graphql, text)
    assert.deepStrictEqual(
      facts.definitions.slice(0, 3).map((d) => d.doc),
      ['"""A user"""', '"its id"', ""]
    )
    assert.strictEqual(facts.definitions[1]!.signature, "id: ID!")
  })
})
