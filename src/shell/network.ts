/** A request that a command wants to make. */
export interface NetRequest {
  /** Absolute, `http:` or `https:`, without a user name or password. */
  readonly url: string;
  /** Upper case. */
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
  /** The program that makes the request, as the user sees it: `curl`, `npm`, `git`, `node`. */
  readonly program: string;
  /**
   * Whether to follow redirects; each target is checked like the first address. If false, the redirect itself is the answer, as far as a browser can
   * see it.
   */
  readonly follow: boolean;
}

export type NetAnswer =
  | {
      readonly kind: "answer";
      /** The address of the answer, after redirects. */
      readonly url: string;
      readonly status: number;
      readonly statusText: string;
      /** Names in lower case. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body: Uint8Array;
    }
  /** The user or a rule does not allow this host. Nothing was sent. `why` is a sentence for the person who typed the command. */
  | { readonly kind: "refused"; readonly why: string }
  /** The host could not be reached, or it does not let a browser read its answers. */
  | {
      readonly kind: "failed";
      readonly why: string;
      /** A server of the dialog closed the connection without an answer. */
      readonly isEmpty?: true;
      /** The connection ended in the middle of the answer. */
      readonly isCut?: true;
    };

/** Receives the answer of one of the dialog's own servers as it arrives. Answers from other hosts arrive as a whole. */
export interface AnswerListener {
  head(answer: Omit<Extract<NetAnswer, { readonly kind: "answer" }>, "body">): void;
  data(bytes: Uint8Array): void;
}

/** What the caller of a request may pass along: a way to cancel it, and a listener for the answer. */
export interface Asking {
  /** Aborts when no one waits for the answer any longer. */
  readonly signal?: AbortSignal;
  readonly listener?: AnswerListener;
}

export interface NetContext {
  /** Aborts when no one waits for the answer any longer. */
  readonly signal: AbortSignal;
  /** Called with `true` when the user is asked; the command's time stops until `false`. */
  waitsForHuman(waiting: boolean): void;
}

/** A command's access to the network. It always settles and never rejects. It asks the user before the dialog reaches a new host. */
export type Network = (request: NetRequest, context: NetContext) => Promise<NetAnswer>;
