/** Tokens as reported by the provider. `input` includes cached tokens. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** Parts of the input: tokens read from the provider's cache, and tokens written to it. */
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** The cost of the response as reported by the provider, in whole nanodollars (billionths of a US dollar). */
  readonly cost?: number;
}
