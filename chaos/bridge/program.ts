import type { SessionDetail, SessionState } from "../../src/protocol/index.ts";

/** What the bridge has acknowledged to a program. It must be true from then on. */
export interface Told {
  readonly session: string;
  readonly messages: string[];
  readonly approved: string[];
}

/** Sends a request. Null if no answer of the page came back. */
type Ask = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Response | null>;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export interface Asking {
  readonly ask: Ask;
  /** The number of calls made so far. */
  readonly tries: () => number;
  /** Resolves when the page's next answer arrives. */
  readonly answered: () => Promise<void>;
}

export function createAsk(port: number, psk: string): Asking {
  let tries = 0;
  let wake: () => void = () => {};
  let answer = new Promise<void>((resolve) => (wake = resolve));
  return {
    tries: () => tries,
    answered: () => answer,
    async ask(method, path, body, headers = {}) {
      tries += 1;
      try {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          method,
          headers: { "x-psk": psk, ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(20_000),
        });
        const text = await response.text();
        if (response.status === 502 || response.status === 503) return null;
        wake();
        answer = new Promise<void>((resolve) => (wake = resolve));
        return new Response(text, { status: response.status });
      } catch (error) {
        // The connection broke, before or after the call took effect.
        if (error instanceof TypeError || error instanceof DOMException) return null;
        throw error;
      }
    },
  };
}

/** Begins a session and sends one message after another until `isOver`. Sends unanswered requests again, as a real program would. */
export async function runProgram(ask: Ask, session: string, isOver: () => boolean): Promise<Told> {
  const told: Told = { session, messages: [], approved: [] };
  const again = async (send: () => Promise<Response | null>, isAnswer: (status: number) => boolean): Promise<Response> => {
    for (;;) {
      const response = await send();
      if (response && isAnswer(response.status)) return response;
      if (response && response.status >= 500) throw new Error(`${session}: ${response.status} ${await response.text()}`);
      await wait(5);
    }
  };
  const at = (rest: string) => `/api/sessions/${session}${rest}`;
  // 409: an earlier try began the session, but its answer was lost.
  await again(
    () => ask("POST", "/api/sessions", { session_id: session, provider: "claude", message: "Begin" }),
    (status) => status === 201 || status === 409,
  );
  told.messages.push("Begin");
  for (let n = 0; !isOver(); n += 1) {
    const text = `Do ${session.slice(-1)}${n}`;
    const key = { "idempotency-key": `${session} ${n}` };
    await again(
      () => ask("POST", at("/message"), { text }, key),
      (status) => status === 200,
    );
    told.messages.push(text);
    // Wait until the agent's call is pending or over. A page that dies in the middle leaves it interrupted.
    for (;;) {
      const state = (await (
        await again(
          () => ask("GET", at("/state")),
          (status) => status === 200,
        )
      ).json()) as SessionState;
      const [pending] = state.pending_approval;
      if (pending !== undefined) {
        const answer = await again(
          () => ask("POST", at("/approve"), { tool_call_id: pending, approved: true }),
          (status) => status === 200 || status === 404,
        );
        // 404: an earlier try took effect, but its answer was lost.
        if (answer.status === 200) told.approved.push(pending);
      } else if (state.status !== "running") break;
      await wait(2);
    }
  }
  return told;
}

export const detailOf = async (ask: Ask, session: string): Promise<SessionDetail> => {
  for (;;) {
    const response = await ask("GET", `/api/sessions/${session}`);
    if (response?.status === 200) return (await response.json()) as SessionDetail;
    await wait(5);
  }
};
