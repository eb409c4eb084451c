import { type Accessor, batch, createMemo, createSignal, onCleanup } from "solid-js";
import type { CallView } from "../../protocol/index.ts";
import { send } from "../model/api/send.ts";
import { type Choice, decisionBody, reasonText } from "./decisions.ts";
import { createEdits } from "./edits.ts";

/** What the panel's main button does. `next`: something that could be approved has not been in view. */
export type NextStep = "next" | "approve" | "rest" | "send";

/**
 * What a person has read and chosen for the calls that wait, and the sending of it. Choices and reasons belong to a call's hash, so a
 * call that has changed counts as unread. A decision sent is gone at once, and back when it was not taken.
 */
export function createDecisions(
  dialogId: Accessor<string>,
  calls: Accessor<readonly CallView[]>,
  onSending: (sending: boolean) => void,
  /** Asks for what the agent needs to continue after the approved calls. They run whatever the answer is. */
  beforeApproval: () => Promise<unknown>,
  /** Says why a decision was not taken where the panel can't: the person has left the dialog, or its calls were settled meanwhile. */
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
  /** Long contents that were unfolded. */
  const [opened, setOpened] = createSignal<ReadonlySet<string>>(new Set());
  /** By hash, which of the ways to always allow the like of a call was chosen; of an agent outside Vibey there is one. */
  const [likes, setLikes] = createSignal<ReadonlyMap<string, number>>(new Map());
  const [always, setAlways] = createSignal<ReadonlySet<string>>(new Set());
  const edits = createEdits();
  /** The hash of the call whose denial is being explained. */
  const [explained, setExplained] = createSignal<string | null>(null);
  const [refusal, setRefusal] = createSignal<{ readonly why: string; readonly ids: ReadonlySet<string> } | null>(null);
  /** It goes with the last of the calls that it is about: what was settled elsewhere says nothing of the next ones. */
  const problem = createMemo(() => {
    const now = refusal();
    return now !== null && calls().some(({ id }) => now.ids.has(id)) ? now.why : null;
  });

  /** The calls to decide; the same list as long as they read the same, so that the boxes keep their place. */
  const open = createMemo(() => calls().filter((call) => !sent().has(call.hash)), [], {
    equals: (a, b) => a.length === b.length && a.every((call, index) => sameOnScreen(call, b[index])),
  });
  const isRead = (call: CallView) => read().has(call.hash);
  /** One call alone has no choice of its own: what was chosen for it beside others goes with them. */
  const chosen = (call: CallView) => (open().length > 1 ? (choices().get(call.hash) ?? null) : null);
  /** What has to be read before the rest can be approved: a call that is denied need not be. */
  const unread = createMemo(() => open().filter((call) => !isRead(call) && chosen(call) !== "deny"));
  const count = (choice: Choice | null) => open().filter((call) => chosen(call) === choice).length;
  const step = createMemo((): NextStep => {
    if (unread().length > 0) return "next";
    if (open().length > 1 && count(null) === 0) return "send";
    return count(null) === open().length ? "approve" : "rest";
  });

  /** Answers whether it was taken. */
  async function decide(rest: Choice, why: string | null = null): Promise<boolean> {
    // Another dialog may show when what is waited for has come; one forked from this one has the same calls.
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
    // Without one of its calls the panel says nothing of it.
    if (!isShown || !calls().some(({ id }) => now.some((call) => call.id === id))) failed(refused);
    const back = new Set(sent());
    for (const call of now) back.delete(call.hash);
    batch(() => {
      setSent(back);
      setRefusal({ why: refused, ids: new Set(now.map(({ id }) => id)) });
    });
    return false;
  }

  /** The lines that always allow the like of a call; empty: it was not chosen. */
  function linesOf(call: CallView): readonly string[] {
    // They were made for what the agent asked.
    if (edits.changed(call) !== null) return [];
    const choice = likes().get(call.hash);
    return choice === undefined ? [] : (call.patterns?.[choice] ?? []);
  }

  /** What would be approved holds arguments that can't be read. */
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
    /** Asks for the reason of a denial before it is sent; null: it is sent without one. One that was not taken is asked for again. */
    askReason: (call: CallView | null) => setExplained(call?.hash ?? null),
    count,
    step,
    /** Which of `call.patterns` was chosen; null: none. */
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
    /** Approves what nothing was chosen for. Nothing that has not been read to its end can be approved. */
    approveRest() {
      if (unread().length === 0 && !isBroken()) void decide("approve");
    },
    /** Denies what nothing was chosen for. `why`: one reason in place of those of the calls. Answers whether it was taken. */
    denyRest: (why: string | null = null) => decide("deny", why),
  };
}
/** The text that a call would replace is no part of its hash, and is known a moment after the call. So is the line of an edit, and what would always allow the like. */
const sameOnScreen = (a: CallView, b: CallView | undefined) =>
  a.hash === b?.hash && a.before === b.before && a.line === b.line && a.patterns?.length === b.patterns?.length;

export type Decisions = ReturnType<typeof createDecisions>;
