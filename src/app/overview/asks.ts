import { batch, createMemo, createRoot, createSignal, onCleanup, getOwner, type Owner } from "solid-js";
import type { AsksAnswer, CallView, DialogListing } from "../../protocol/index.ts";
import { readAsks } from "../model/api/calls.ts";
import { createDecisions } from "../calls/decide.ts";
import { isWhole } from "./whole.ts";
import { onChange } from "../ui/on-change.ts";

/**
 * What one dialog asks for, and what the user does about it in its row. It outlives the row's element, which is removed when it is scrolled out of
 * view.
 */
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
  /** When the shown calls arrived, in `performance.now()` time. */
  let since = performance.now();
  onChange(decisions.open, () => {
    since = performance.now();
  });
  // A reason that is being typed stays while the same calls are read again.
  onChange(
    () =>
      decisions
        .open()
        .map(({ hash }) => hash)
        .join(" "),
    () => setReason(null),
  );
  // A refused decision may have been made elsewhere.
  onChange(decisions.problem, (why) => why !== null && void refresh(), { defer: true });

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
    /** Null: no denial is being entered. */
    reason,
    setReason,
    /** Denies everything that is undecided. If the denial was not accepted, its reason is asked for again. */
    async deny(why: string) {
      setReason(null);
      const taken = await decisions.denyRest(why);
      if (!taken && decisions.open().length > 0) setReason(why);
    },
    refresh,
    /** The dialog is no longer known to ask for anything. */
    forget() {
      turn += 1;
      setAnswer(null);
    },
    /** Whether everything undecided fits into the row. */
    whole,
    /** Milliseconds since the calls last changed. */
    age: () => performance.now() - since,
  };
}

/** What the dialogs of the overview ask for. Each is read when its row comes into view. */
export function createAllAsks(
  ready: (provider: string) => Promise<unknown>,
  /** Reports why a decision was not accepted to a user who has left the overview. */
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

/** Whether a dialog can have requests that its row shows. */
export const mayAsk = ({ status, activity }: Pick<DialogListing, "status" | "activity">) => status === "waiting" && activity === null;
