import { type Accessor, batch, createMemo, createSignal, onCleanup } from "solid-js";
import type { CallView } from "../../protocol/index.ts";
import { send } from "../model/api/send.ts";
import { type Choice, decisionBody, reasonText } from "./decisions.ts";
import { createEdits } from "./edits.ts";

/** What the panel's main button does. `next`: something that could be approved has not been in view. */
export type NextStep = "next" | "approve" | "rest" | "send";

/**
 * What the user has read and chosen for the waiting calls, and the sending of it. Choices and reasons belong to a call's hash, so a changed call
 * counts as unread. A sent decision disappears at once, and comes back if it was not accepted.
 */
export function createDecisions(
  dialogId: Accessor<string>,
  calls: Accessor<readonly CallView[]>,
  onSending: (sending: boolean) => void,
  /** Asks for what the agent needs to continue after the approved calls. They run whatever the answer is. */
  beforeApproval: () => Promise<unknown>,
  /** Reports why a decision was not accepted if the panel can't, because the user has left the dialog or its calls were settled in the meantime. */
  failed: (why: string) => void,
) {
  let isShown = true;
  onCleanup(() => {
    isShown = false;
  });
  const [sent, setSent] = createSignal<ReadonlySet<string>>(new Set());
  const [choices, setChoices] = createSignal<ReadonlyMap<string, Choice>>(new Map());
  const [reasons, setReasons] = createSignal<ReadonlyMap<string, string>>(new Map());
  const [read, setRead] = createSignal<ReadonlySet<string>>(new Set());
  /** Calls whose long contents were unfolded. */
  const [opened, setOpened] = createSignal<ReadonlySet<string>>(new Set());
  /** By hash, the chosen way to always allow calls like this one. For an agent outside Vibey there is only one way. */
  const [likes, setLikes] = createSignal<ReadonlyMap<string, number>>(new Map());
  const [always, setAlways] = createSignal<ReadonlySet<string>>(new Set());
  const edits = createEdits();
  /** The hash of the call whose denial is being explained. */
  const [explained, setExplained] = createSignal<string | null>(null);
  const [refusal, setRefusal] = createSignal<{ readonly why: string; readonly ids: ReadonlySet<string> } | null>(null);
  /** The problem disappears with the last of the calls that it is about. It doesn't apply to later calls. */
  const problem = createMemo(() => {
    const now = refusal();
    return now !== null && calls().some(({ id }) => now.ids.has(id)) ? now.why : null;
  });

  /** The calls to decide. The list stays the same while the calls read the same, so that their boxes keep their place. */
  const open = createMemo(() => calls().filter((call) => !sent().has(call.hash)), [], {
    equals: (a, b) => a.length === b.length && a.every((call, index) => sameOnScreen(call, b[index])),
  });
  const isRead = (call: CallView) => read().has(call.hash);
  /** A single call has no choice of its own: choices count only beside other calls. */
  const chosen = (call: CallView) => (open().length > 1 ? (choices().get(call.hash) ?? null) : null);
  /** What has to be read before the rest can be approved. Denied calls need not be read. */
  const unread = createMemo(() => open().filter((call) => !isRead(call) && chosen(call) !== "deny"));
  const count = (choice: Choice | null) => open().filter((call) => chosen(call) === choice).length;
  const step = createMemo((): NextStep => {
    if (unread().length > 0) return "next";
    if (open().length > 1 && count(null) === 0) return "send";
    return count(null) === open().length ? "approve" : "rest";
  });

  /** Resolves to whether the engine accepted the decisions. */
  async function decide(rest: Choice, why: string | null = null): Promise<boolean> {
    // Read now: another dialog may show after the wait, and a dialog forked from this one has the same calls.
    const [asked, now] = [dialogId(), open()];
    if (now.length === 0) return false;
    const decided = now.map((call) => ({ call, choice: chosen(call) ?? rest }));
    const allow = Array.from(always()).filter((tool) => decided.some((one) => one.call.tool === tool && one.choice === "approve"));
    const like = decided.flatMap(({ call, choice }) => (choice === "approve" && !allow.includes(call.tool) ? linesOf(call) : []));
    const changes = new Map(
      decided.flatMap(({ call, choice }) => {
        const input = choice === "approve" ? edits.changed(call) : null;
        return input === null ? [] : [[call.id, input] as const];
      }),
    );
    const isKept = (call: CallView) => call.rules && likes().has(call.hash) && !changes.has(call.id);
    const kept = decided.flatMap(({ call, choice }) => (choice === "approve" && isKept(call) ? [call.id] : []));
    // A reason that is not on the screen is not sent.
    const reasonOf = (call: CallView) => (chosen(call) === "deny" || explained() === call.hash ? (reasons().get(call.hash) ?? "") : "");
    const given = why ?? reasonText(decided.map(({ call, choice }) => ({ call, choice, reason: reasonOf(call) })));
    onSending(true);
    batch(() => {
      setSent(new Set([...sent(), ...now.map((call) => call.hash)]));
      setRefusal(null);
    });
    if (decided.some((one) => one.choice === "approve")) await beforeApproval();
    const refused = await send(decisionBody(asked, decided, [...new Set([...allow, ...like])], given, kept, Object.fromEntries(changes)));
    onSending(false);
    if (refused === null) {
      if (now.some(({ hash }) => hash === explained())) setExplained(null);
      return true;
    }
    // If none of its calls is left, the panel doesn't show the problem.
    if (!isShown || !calls().some(({ id }) => now.some((call) => call.id === id))) failed(refused);
    const back = new Set(sent());
    for (const call of now) back.delete(call.hash);
    batch(() => {
      setSent(back);
      setRefusal({ why: refused, ids: new Set(now.map(({ id }) => id)) });
    });
    return false;
  }

  /** The lines that always allow calls like this one; empty if none were chosen. */
  function linesOf(call: CallView): readonly string[] {
    // The lines are for the arguments that the agent sent, not for changed ones.
    if (edits.changed(call) !== null) return [];
    const choice = likes().get(call.hash);
    return choice === undefined ? [] : (call.patterns?.[choice] ?? []);
  }

  /** Whether a call that would be approved has arguments that can't be parsed. */
  const isBroken = createMemo(() => open().some((call) => edits.isBroken(call) && chosen(call) !== "deny"));
  const tools = createMemo(() => Array.from(new Set(open().map((call) => call.tool))));

  return {
    open,
    problem,
    tools,
    isRead,
    markRead: (call: CallView) => setRead(new Set([...read(), call.hash])),
    isOpened: (call: CallView) => opened().has(call.hash),
    unfold: (call: CallView) => setOpened(new Set([...opened(), call.hash])),
    unread,
    edits,
    isBroken,
    chosen,
    choose: (call: CallView, choice: Choice) => setChoices(new Map(choices()).set(call.hash, choice)),
    reason: (call: CallView) => reasons().get(call.hash) ?? "",
    explain: (call: CallView, text: string) => setReasons(new Map(reasons()).set(call.hash, text)),
    isExplained: (call: CallView) => explained() === call.hash,
    /**
     * Asks for the reason of a denial before the denial is sent; null: no reason is asked for. If the denial was not accepted, the reason is asked
     * for again.
     */
    askReason: (call: CallView | null) => setExplained(call?.hash ?? null),
    count,
    step,
    /** Which of `call.patterns` was chosen; null if none. */
    like: (call: CallView) => likes().get(call.hash) ?? null,
    setLike(call: CallView, choice: number | null) {
      const next = new Map(likes());
      if (choice === null) next.delete(call.hash);
      else next.set(call.hash, choice);
      setLikes(next);
    },
    isAlways: (tool: string) => always().has(tool),
    setAlways: (tool: string, allow: boolean) =>
      setAlways(new Set(allow ? [...always(), tool] : Array.from(always()).filter((other) => other !== tool))),
    /** Approves all calls without a choice. A call that has not been read to its end can't be approved. */
    approveRest() {
      if (unread().length === 0 && !isBroken()) void decide("approve");
    },
    /** Denies all calls without a choice. `why`: one reason instead of those of the calls. Resolves to whether the denial was accepted. */
    denyRest: (why: string | null = null) => decide("deny", why),
  };
}
/**
 * The text that a call would replace is not part of its hash, and is known a moment after the call. The same is true of an edit's line and of the
 * patterns.
 */
const sameOnScreen = (a: CallView, b: CallView | undefined) =>
  a.hash === b?.hash && a.before === b.before && a.line === b.line && a.patterns?.length === b.patterns?.length;

export type Decisions = ReturnType<typeof createDecisions>;
