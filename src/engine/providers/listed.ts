import type { JsonObject } from "../../dialog/model.ts";
import type { Price } from "../cost/price.ts";

/** A model as a server lists it. What the server does not say is null. */
export interface Listed {
  readonly id: string;
  /** Tokens of its window. */
  readonly window: number | null;
  /** Tokens that a response may have. */
  readonly output: number | null;
  readonly price: Price | null;
  /** The entry as it came. */
  readonly entry: JsonObject;
}
