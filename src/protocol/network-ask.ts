import type { HostWord } from "../dialog/ids.ts";

/** A question about a host. What it tells of the request is what would go out if the answer is yes. */
export interface NetworkAsk {
  /** Names this question: an answer about the host has to name it. */
  readonly question: string;
  /** With its port when that is not the usual one. */
  readonly host: string;
  /** `curl`, `npm`, `git`, `node`. */
  readonly program: string;
  readonly method: string;
  readonly url: string;
  /** The least that has to be allowed for the request to go out. */
  readonly needs: HostNeed;
  /** What was said about the host so far; null: nothing. */
  readonly now: HostWord | null;
  /** Null: it has none. `type`: as the command names it, null when it does not. */
  readonly body: { readonly bytes: number; readonly type: string | null } | null;
  /** UTF-16 units of the address behind the host. */
  readonly address: number;
  /** Names of its headers that say who asks. */
  readonly credentials: readonly string[];
  /** What of it may come from the project and was not in an approved command's own text. */
  readonly carries: readonly ("body" | "address" | "credentials")[];
  /** Files of the project whose whole content is the body. */
  readonly files: readonly string[];
}

export type HostNeed = "GET only" | "any method" | "any method and uploads";
