import { createSignal, onMount } from "solid-js";
import type { SandboxAnswer } from "../../protocol/index.ts";
import { type Answer, readSandbox } from "../model/api/calls.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";

/** The state of the sandbox that commands run in, until the owner is disposed. */
export function createSandboxState(events: EngineEvents) {
  const [answer, setAnswer] = createSignal<SandboxAnswer | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  let turn = 0;

  /** Shows a call's answer, unless a later call was made in the meantime. False: it failed, and `failed` was called with the reason. */
  async function take(call: Promise<Answer<SandboxAnswer>>, failed: (why: string) => void = setProblem): Promise<boolean> {
    const mine = ++turn;
    const got = await call;
    if (!got.ok) failed(got.message);
    else if (mine === turn) {
      setAnswer(got.value);
      setProblem(null);
    }
    return got.ok;
  }
  createListener(events, ({ type }) => {
    if (type === "sandbox" || type === "hello") void take(readSandbox());
  });
  onMount(() => void take(readSandbox()));
  return {
    /** Null until the first answer. */
    answer,
    /** Why it could not be read. */
    problem,
    take,
  };
}
export type SandboxState = ReturnType<typeof createSandboxState>;
