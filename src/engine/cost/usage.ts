/** Tokens, as the provider reported them. `input` counts cached tokens too. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** Of the input: what the provider's cache gave, and what was written to it. */
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** What the provider says that the response cost: whole nanodollars, billionths of a US dollar. */
  readonly cost?: number;
}
