import type { HostWord } from "../dialog/ids.ts";

/** A question about a host. It describes the request that would be sent if the user agrees. */
export interface NetworkAsk {
  /** The id of this question: an answer about the host has to name it. */
  readonly question: string;
  /** With its port, unless it is the default one. */
  readonly host: string;
  /** `curl`, `npm`, `git`, `node`. */
  readonly program: string;
  readonly method: string;
  readonly url: string;
  /** The smallest permission with which the request can be sent. */
  readonly needs: HostNeed;
  /** The user's decision about the host so far. Null if there is none. */
  readonly now: HostWord | null;
  /** Null if the request has no body. `type`: as the command names it. Null if it doesn't. */
  readonly body: { readonly bytes: number; readonly type: string | null } | null;
  /** UTF-16 code units of the address after the host. */
  readonly address: number;
  /** Names of the headers that identify the sender. */
  readonly credentials: readonly string[];
  /** The parts that may contain project data that is not in the text of an approved command. */
  readonly carries: readonly ("body" | "address" | "credentials")[];
  /** Files of the project whose whole content is the body. */
  readonly files: readonly string[];
}

export type HostNeed = "GET only" | "any method" | "any method and uploads";
