/** What the tokens of a model cost: US dollars a million tokens, with six decimals at most. */
export interface PriceView {
  /** Of the provider's address: `https://api.example`. */
  readonly origin: string;
  /** A model's id, or the beginning of some with a star behind it. */
  readonly model: string;
  readonly input: number;
  readonly output: number;
  /** null: as any other input. */
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
}

/**
 * A price of the user's comes before one of the provider's, and that before the list that comes with Vibey; in each of the first two a
 * model's id before the beginning of it, a longer one first.
 */
export interface PricesAnswer {
  /** The user's own, in their order. */
  readonly own: readonly PriceView[];
  /** What the providers said with their lists of models. */
  readonly listed: readonly PriceView[];
  /** The list that comes with Vibey, as far as it is about the providers' addresses, and its day; null: it could not be loaded. */
  readonly builtIn: { readonly date: string; readonly prices: readonly PriceView[] } | null;
  /** The addresses of the providers as they are set now. */
  readonly origins: readonly string[];
}

export interface PricesBody {
  readonly prices: readonly (Omit<PriceView, "cacheRead" | "cacheWrite"> & {
    readonly cacheRead?: number | null;
    readonly cacheWrite?: number | null;
  })[];
}

/** `nanos`: nanodollars, as far as they are known. `unpriced`: responses of which no one knows what they cost. */
export interface CostSum {
  readonly nanos: number;
  readonly responses: number;
  readonly unpriced: number;
  /** Tokens. */
  readonly input: number;
  readonly output: number;
}

export interface CostReport {
  readonly total: CostSum;
  /** Responses that were computed by the list that comes with Vibey, and the days of the lists; null: none was. */
  readonly byList: { readonly responses: number; readonly from: string; readonly to: string } | null;
  /** The first and the last day that it is about, `2026-11-22`, by the clock of this device; null when nothing was asked for yet. */
  readonly from: string | null;
  readonly to: string | null;
  /** Days on which something was asked for, the earliest first. */
  readonly days: readonly (CostSum & { readonly day: string })[];
  /** The dearest first. */
  readonly models: readonly (CostSum & { readonly provider: string; readonly model: string })[];
  readonly dialogs: readonly (CostSum & { readonly dialogId: string })[];
  /** How many dialogs have a damaged file, so that their cost is not counted, or not all of it. */
  readonly damaged: number;
}

/** Frames of `GET /cost`: how many of how many dialogs are read, then the report. */
export type CostFrame =
  | { readonly type: "progress"; readonly done: number; readonly total: number }
  | ({ readonly type: "report" } & CostReport);
