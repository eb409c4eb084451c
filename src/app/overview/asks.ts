import { batch, createEffect, createMemo, createRoot, createSignal, on, onCleanup, getOwner, type Owner } from "solid-js";
import type { AsksAnswer, CallView, DialogListing } from "../../protocol/index.ts";
import { readAsks } from "../model/api/calls.ts";
import { createDecisions } from "../calls/decide.ts";
import { isWhole } from "./whole.ts";

/** What one dialog asks for, and what a person does about it in its row. It outlives the row's element, which goes when it is scrolled away. */
export type Asks = ReturnType<typeof createAsks>;

const noCalls: readonly CallView[] = [];

function createAsks(id: string, ready: (provider: string) => Promise<unknown>, failed: (id: string, why: string) => void) {
  const [answer, setAnswer] = createSignal<AsksAnswer | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [sending, setSending] = createSignal(false);
  const [reason, setReason] = createSignal<string | null>(null);
  const calls = createMemo(() => answer()?.calls ?? noCalls);
  // oxlint-disable-next-line solid/reactivity -- `calls` is read by the decisions whenever they look.
  const decisions = createDecisions(
    () => id,
    calls,
    setSending,
    async () => ready(answer()?.provider ?? ""),
    (why) => failed(id, why),
  );
  /** When the calls that show came, as `performance.now()` tells it. */
  let since = performance.now();
  createEffect(
    on(decisions.open, () => {
      since = performance.now();
      setReason(null);
    }),
  );
  // What was not taken may have been decided elsewhere.
  createEffect(on(decisions.problem, (why) => why !== null && void refresh(), { defer: true }));

  const whole = createMemo(() => {
    const now = answer();
    return now !== null && isWhole({ calls: decisions.open(), cut: now.cut });
  });

  let turn = 0;
  async function refresh() {
    const mine = ++turn;
    const now = await readAsks(id);
    if (mine !== turn) return;
    batch(() => {
      if (now.ok) setAnswer(now.value);
      setProblem(now.ok || now.kind === "missing" ? null : now.message);
    });
  }

  return {
    answer,
    decisions,
    sending,
    problem,
    /** Null: no one is about to deny. */
    reason,
    setReason,
    /** Denies everything that is open. A reason that was not taken is asked for again. */
    async deny(why: string) {
      setReason(null);
      const taken = await decisions.denyRest(why);
      if (!taken && decisions.open().length > 0) setReason(why);
    },
    refresh,
    /** It is not known to ask for anything anymore. */
    forget() {
      turn += 1;
      setAnswer(null);
    },
    /** Everything that is undecided fits into the row. */
    whole,
    /** Milliseconds for which the calls have been as they are. */
    age: () => performance.now() - since,
  };
}

/** What the dialogs of the overview ask for, each read when its row comes into sight. */
export function createAllAsks(
  ready: (provider: string) => Promise<unknown>,
  /** Says why a decision was not taken to a person who has left the overview. */
  failed: (id: string, why: string) => void,
) {
  const owner: Owner | null = getOwner();
  const all = new Map<string, { readonly asks: Asks; readonly dispose: () => void }>();
  onCleanup(() => {
    for (const { dispose } of all.values()) dispose();
  });
  return {
    of(id: string): Asks {
      const known = all.get(id);
      if (known) return known.asks;
      const made = createRoot((dispose) => ({ asks: createAsks(id, ready, failed), dispose }), owner);
      all.set(id, made);
      return made.asks;
    },
  };
}

/** Whether a dialog has something to ask that its row shows. */
export const mayAsk = ({ status, activity }: Pick<DialogListing, "status" | "activity">) => status === "waiting" && activity === null;
