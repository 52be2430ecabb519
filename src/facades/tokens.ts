/** Bytes of text a token stands for on average; for estimates only. */
export const bytesPerToken = 3.5
