import { createSignal, onCleanup } from "solid-js";
import type { AgentAnswer, AgentChange } from "../../protocol/index.ts";
import * as t from "../texts/agent-form.ts";
import type { KeyChange } from "./change-key.ts";

export interface FieldProps {
  readonly label: string;
  /** The value in the file. */
  readonly value: string;
  readonly change: (change: KeyChange) => Promise<boolean>;
}

export interface FieldKey {
  readonly of: (agent: AgentAnswer) => string;
  /** null removes the key. */
  readonly to: (text: string | null) => AgentChange;
  /** Whether another value takes effect without the key. */
  readonly mayBecome?: boolean;
}

/**
 * A front matter text that is being typed. It is written when the field loses the focus, and at Enter and Save. If someone else has written another
 * value in the meantime, nothing is written until the user confirms, and the typed text stays.
 */
export function createField(props: FieldProps, key: () => FieldKey) {
  const [typed, setTyped] = createSignal<string | null>(null);
  /** The value in the file when typing began. */
  let seen = "";
  let isBusy = false;
  /** The field was left, or Enter was pressed, while it was being written. */
  let isWanted = false;

  function type(text: string) {
    if (typed() === null) seen = props.value;
    setTyped(text);
  }
  /** `isLeft`: the field no longer exists, so its value can't be read. */
  async function write(isLeft = false): Promise<void> {
    const text = typed();
    if (text === null) return;
    const wanted = text.trim();
    if (wanted === seen && (isLeft || props.value === seen)) {
      setTyped(null);
      return;
    }
    if (isBusy) {
      isWanted = true;
      return;
    }
    isBusy = true;
    const { of, to, mayBecome } = key();
    const done = await props.change({
      label: props.label,
      compute(now) {
        const current = of(now);
        if (current === wanted) return null;
        if (current !== seen) {
          seen = current;
          return t.otherValue(current);
        }
        return to(wanted === "" ? null : wanted);
      },
      isApplied: (after) => of(after) === wanted || (wanted === "" && mayBecome === true),
    });
    isBusy = false;
    if (done) seen = wanted;
    if (done && typed() === text) setTyped(null);
    const again = isWanted;
    isWanted = false;
    if (again) await write(true);
  }
  // Going back in the browser removes the field while it has the focus.
  onCleanup(() => void write(true));
  return {
    text: () => typed() ?? props.value,
    type,
    write: () => void write(),
    /** Handles Enter, Save and Escape. */
    onKey(event: KeyboardEvent) {
      if (event.isComposing || typed() === null) return;
      if (event.key === "Escape") {
        setTyped(null);
        event.stopPropagation();
      } else if ((event.key === "Enter" && !event.shiftKey) || (event.code === "KeyS" && (event.ctrlKey || event.metaKey))) {
        if (event.key === "Enter") event.preventDefault();
        void write();
      }
    },
  };
}
