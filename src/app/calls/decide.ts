import { type Accessor, batch, createMemo, createSignal } from "solid-js";
import type { CallView } from "../../engine/api.ts";
import { send } from "../api/send.ts";
import { type Choice, decisionBody } from "./decisions.ts";

/**
 * What a person has read and chosen for the calls that wait, and the sending of it. Choices belong to a call's hash, so a call
 * that reads otherwise than before is one that nobody has read. A decision sent is gone at once, and back when it was not taken.
 */
export function createDecisions(
  dialogId: Accessor<string>,
  calls: Accessor<readonly CallView[]>,
  onSending: (sending: boolean) => void,
  /** Asks for what the agent needs to go on after what was approved; that runs whatever is answered. */
  beforeApproval: () => Promise<unknown>,
) {
  const [sent, setSent] = createSignal<ReadonlySet<string>>(new Set());
  const [choices, setChoices] = createSignal<ReadonlyMap<string, Choice>>(new Map());
  const [read, setRead] = createSignal<ReadonlySet<string>>(new Set());
  const [always, setAlways] = createSignal<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = createSignal<string | null>(null);

  /** The calls to decide; the same list as long as they read the same, so that the boxes keep their place. */
  const open = createMemo(() => calls().filter((call) => !sent().has(call.hash)), [], {
    equals: (a, b) => a.length === b.length && a.every((call, index) => sameOnScreen(call, b[index])),
  });
  const allRead = () => open().every((call) => read().has(call.hash));

  async function decide(choice: (call: CallView) => Choice, why = "") {
    // Another dialog may show when what is waited for has come; one forked from this one has the same calls.
    const [asked, now] = [dialogId(), open()];
    const decided = now.map((call) => ({ call, choice: choice(call) }));
    const allow = Array.from(always()).filter((tool) => decided.some((one) => one.call.tool === tool && one.choice === "approve"));
    batch(() => {
      setSent(new Set([...sent(), ...now.map((call) => call.hash)]));
      setProblem(null);
    });
    onSending(true);
    if (decided.some((one) => one.choice === "approve")) await beforeApproval();
    const refused = await send(decisionBody(asked, decided, allow, why));
    onSending(false);
    if (refused === null) return;
    const back = new Set(sent());
    for (const call of now) back.delete(call.hash);
    batch(() => {
      setSent(back);
      setProblem(refused);
    });
  }

  const tools = createMemo(() => Array.from(new Set(open().map((call) => call.tool))));

  /** Nothing that has not been read to its end can be approved. */
  function approveAll() {
    if (allRead()) void decide(() => "approve");
  }

  /** What nothing was chosen for is denied. */
  function sendChoices() {
    const chosen = choices();
    void decide((call) => chosen.get(call.hash) ?? "deny");
  }

  return {
    open,
    problem,
    tools,
    isRead: (call: CallView) => read().has(call.hash),
    allRead,
    markRead: (call: CallView) => setRead(new Set([...read(), call.hash])),
    chosen: (call: CallView) => choices().get(call.hash) ?? null,
    choose: (call: CallView, choice: Choice) => setChoices(new Map(choices()).set(call.hash, choice)),
    untouched: () => open().every((call) => !choices().has(call.hash)),
    complete: () => open().every((call) => choices().has(call.hash)),
    isAlways: (tool: string) => always().has(tool),
    setAlways: (tool: string, allow: boolean) =>
      setAlways(new Set(allow ? [...always(), tool] : Array.from(always()).filter((other) => other !== tool))),
    approveAll,
    denyAll: (why = "") => void decide(() => "deny", why),
    sendChoices,
  };
}
/** The text that a call would replace is no part of its hash, and is known a moment after the call. */
const sameOnScreen = (a: CallView, b: CallView | undefined) => a.hash === b?.hash && a.before === b.before;

export type Decisions = ReturnType<typeof createDecisions>;
