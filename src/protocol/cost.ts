/** The price of a model's tokens: US dollars per million tokens, with at most six decimals. */
export interface PriceView {
  /** The origin of the provider's address: `https://api.example`. */
  readonly origin: string;
  /** A model's id, or a prefix of ids followed by a star. */
  readonly model: string;
  readonly input: number;
  readonly output: number;
  /** Null: the same as other input. */
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
}

/**
 * The order of precedence: the user's prices, the provider's prices, the list that comes with Vibey. Within each of the first two, an exact id wins
 * over a prefix, and a longer prefix over a shorter one.
 */
export interface PricesAnswer {
  /** The user's own prices, in the user's order. */
  readonly own: readonly PriceView[];
  /** Prices that the providers reported with their lists of models. */
  readonly listed: readonly PriceView[];
  /** The list that comes with Vibey, limited to the providers' addresses, and its date. Null if it could not be loaded. */
  readonly builtIn: { readonly date: string; readonly prices: readonly PriceView[] } | null;
  /** The current addresses of the providers. */
  readonly origins: readonly string[];
}

export interface PricesBody {
  readonly prices: readonly (Omit<PriceView, "cacheRead" | "cacheWrite"> & {
    readonly cacheRead?: number | null;
    readonly cacheWrite?: number | null;
  })[];
}

/** `nanos`: the known cost in nanodollars. `unpriced`: responses whose cost is unknown. */
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
  /** Responses whose cost was computed from the list that comes with Vibey, and the range of the lists' dates. Null if there were none. */
  readonly byList: { readonly responses: number; readonly from: string; readonly to: string } | null;
  /** The first and last day of the report, such as `2026-11-22`, in this device's time zone. Null if there were no requests yet. */
  readonly from: string | null;
  readonly to: string | null;
  /** Days with requests, earliest first. */
  readonly days: readonly (CostSum & { readonly day: string })[];
  /** Most expensive first. */
  readonly models: readonly (CostSum & { readonly provider: string; readonly model: string })[];
  readonly dialogs: readonly (CostSum & { readonly dialogId: string })[];
  /** The number of dialogs with a damaged file, whose cost is missing or incomplete. */
  readonly damaged: number;
}

/** Frames of `GET /cost`: how many of the dialogs are read, then the report. */
export type CostFrame =
  | { readonly type: "progress"; readonly done: number; readonly total: number }
  | ({ readonly type: "report" } & CostReport);
