import type { JsonObject } from "../../dialog/model.ts";
import type { Price } from "../cost/price.ts";

/** A model as a server lists it. Null: the server doesn't say. */
export interface Listed {
  readonly id: string;
  /** The context window in tokens. */
  readonly window: number | null;
  /** The most tokens in a response. */
  readonly output: number | null;
  readonly price: Price | null;
  /** The entry as the server sent it. */
  readonly entry: JsonObject;
}
