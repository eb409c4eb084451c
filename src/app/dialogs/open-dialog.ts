import { type Accessor, batch, createMemo, createSignal, onCleanup, untrack } from "solid-js";
import type { MessageView, PutDialogBody, ViewFrame } from "../../protocol/index.ts";
import { openDialogStream } from "../model/api/calls.ts";
import { follow } from "../model/api/follow.ts";
import { send } from "../model/api/send.ts";
import { appendText, pendingCalls, reasonsOf } from "./frames.ts";
import { createRunning } from "./running.ts";
import type { Head } from "./running.ts";
import { isYours } from "./speaker.ts";
import { onChange } from "../ui/on-change.ts";

/** A message at its index. The slot stays the same object while the message grows, so that a list keeps its nodes. */
export interface Slot {
  readonly index: number;
  readonly message: Accessor<MessageView>;
}
interface OwnSlot extends Slot {
  readonly set: (message: MessageView) => void;
}

function slotFor(index: number, message: MessageView): OwnSlot {
  const [current, set] = createSignal(message);
  return { index, message: current, set: (next) => set(next) };
}

/** A message that was sent and isn't in the file yet. */
export interface Sent {
  readonly text: string;
  /** How many messages there were when it was sent. */
  readonly after: number;
}

/** The open dialog as the engine streams it, and what the user can say to it. */
export function createOpenDialog(id: Accessor<string | null>, gone: (id: string) => void) {
  const [head, setHead] = createSignal<Head | null>(null);
  const [slots, setSlots] = createSignal<readonly OwnSlot[]>([]);
  const [lost, setLost] = createSignal(false);
  const [sent, setSent] = createSignal<Sent | null>(null);
  const run = createRunning();
  /** Changes whenever a call may have changed. Added text never changes a call. */
  const [calls, setCalls] = createSignal(0);

  function putMessage(index: number, message: MessageView) {
    const slot = slots()[index];
    if (slot !== undefined) slot.set(message);
    else if (index === slots().length) setSlots([...slots(), slotFor(index, message)]);
    const waits = sent();
    if (waits !== null && isYours(message) && index >= waits.after) setSent(null);
  }
  function clear() {
    setHead(null);
    run.clear();
    setSlots([]);
    setSent(null);
    setLost(false);
  }

  /** Returns false if the dialog is gone. */
  function take(frame: ViewFrame): boolean {
    switch (frame.type) {
      case "dialog": {
        const { messages, ...rest } = frame.dialog;
        run.head(rest, false);
        setHead(rest);
        setSlots(slots().slice(0, messages.length));
        messages.forEach((message, index) => putMessage(index, message));
        setCalls(calls() + 1);
        return true;
      }
      case "head":
        run.head(frame.head, true);
        setHead(frame.head);
        return true;
      case "message":
        putMessage(frame.index, frame.message);
        setCalls(calls() + 1);
        return true;
      case "text": {
        const slot = slots()[frame.index];
        const longer = slot && appendText(slot.message(), frame.part, frame.text);
        if (slot && longer) slot.set(longer);
        return true;
      }
      case "output":
        run.add(frame);
        return true;
      case "gone":
        return false;
      default:
        // A newer engine may send frames that this page doesn't know.
        return true;
    }
  }

  onChange(id, (open) => {
    batch(clear);
    if (open === null) return;
    const controller = new AbortController();
    onCleanup(() => controller.abort());
    void follow<ViewFrame>(
      {
        open: (signal) => openDialogStream(open, signal),
        frame: (frame) => {
          const goesOn = batch(() => take(frame));
          if (!goesOn) gone(open);
          return goesOn;
        },
        lost: setLost,
        missing: () => gone(open),
      },
      controller.signal,
    );
  });

  const pending = createMemo(() => {
    calls();
    return pendingCalls(slots().map((slot) => untrack(slot.message)));
  });

  /** Messages that mention agents or come from other dialogs. */
  const exchanges = createMemo(() => {
    calls();
    return slots()
      .map((slot) => untrack(slot.message))
      .filter(({ mentions, from }) => mentions !== undefined || from !== undefined);
  });

  const reasons = createMemo(() => {
    calls();
    return reasonsOf(slots().map((slot) => untrack(slot.message)));
  });

  return {
    head,
    slots: slots as Accessor<readonly Slot[]>,
    /** True while there is no contact with the dialog. */
    lost,
    sent,
    /** The running command. */
    running: run.running,
    pending,
    exchanges,
    /** What the agent said before each pending call. */
    reasons,
    /** Shows the text at once and sends it. Resolves to what went wrong if the engine did not accept it, else to null. */
    async say(body: PutDialogBody & { readonly prompt: string }): Promise<string | null> {
      const mine = { text: body.prompt, after: slots().length };
      setSent(mine);
      const refused = await send(body);
      if (refused !== null && sent() === mine) setSent(null);
      return refused;
    },
  };
}
export type OpenDialog = ReturnType<typeof createOpenDialog>;
