/** One request that a command wants to make. */
export interface NetRequest {
  /** Absolute, `http:` or `https:`, without a user name and a password. */
  readonly url: string;
  /** Upper case. */
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
  /** The program that asks, as the user is told: `curl`, `npm`, `git`, `node`. */
  readonly program: string;
  /** Whether redirects are followed, each checked like the first address; else a redirect is the answer, as far as it can be seen. */
  readonly follow: boolean;
}

export type NetAnswer =
  | {
      readonly kind: "answer";
      /** Where it came from, after redirects. */
      readonly url: string;
      readonly status: number;
      readonly statusText: string;
      /** Names in lower case. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body: Uint8Array;
    }
  /** The host may not be reached: by the user's word, or by a rule. Nothing was sent. `why` is a sentence for anyone who typed the command. */
  | { readonly kind: "refused"; readonly why: string }
  /** The host could not be reached, or does not let a browser read its answers. */
  | {
      readonly kind: "failed";
      readonly why: string;
      /** A server of the dialog closed the connection without an answer. */
      readonly isEmpty?: true;
      /** The connection ended in the middle of the answer. */
      readonly isCut?: true;
    };

/** Hears an answer of a server of the dialog as it comes. What goes elsewhere comes as a whole. */
export interface AnswerListener {
  head(answer: Omit<Extract<NetAnswer, { readonly kind: "answer" }>, "body">): void;
  data(bytes: Uint8Array): void;
}

/** How one who asks takes part in a request that runs. */
export interface Asking {
  /** No one waits for the answer anymore. */
  readonly signal?: AbortSignal;
  readonly listener?: AnswerListener;
}

export interface NetContext {
  /** Aborts when no one waits for the answer anymore. */
  readonly signal: AbortSignal;
  /** `true` while a human is asked: the command's time stands still until `false`. */
  waitsForHuman(waiting: boolean): void;
}

/** The way of a command to the network. It always settles, never rejects, and asks the user for a host that the dialog may not reach yet. */
export type Network = (request: NetRequest, context: NetContext) => Promise<NetAnswer>;
