import { createSignal, onCleanup } from "solid-js";
import type { AgentAnswer, AgentChange } from "../../protocol/index.ts";
import * as t from "../texts/agent-form.ts";
import type { KeyChange } from "./change-key.ts";

export interface FieldProps {
  readonly label: string;
  /** What the file says. */
  readonly value: string;
  readonly change: (change: KeyChange) => Promise<boolean>;
}

export interface FieldKey {
  readonly of: (agent: AgentAnswer) => string;
  /** null takes the key away. */
  readonly to: (text: string | null) => AgentChange;
  /** Without the key something else stands for it. */
  readonly mayBecome?: boolean;
}

/**
 * A text of the front matter that is being typed. It is written when the field is left, at Enter and at Save. Where someone else has written another
 * one meanwhile, nothing is written until a person says so once more, and what is typed stays.
 */
export function createField(props: FieldProps, key: () => FieldKey) {
  const [typed, setTyped] = createSignal<string | null>(null);
  /** What the file said when typing began. */
  let seen = "";
  let isBusy = false;
  /** The field was left, or Enter pressed, while it was written. */
  let isWanted = false;

  function type(text: string) {
    if (typed() === null) seen = props.value;
    setTyped(text);
  }
  /** `isLeft`: the field is there no more, so that its value isn't either. */
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
  // Going back in the browser takes the field away while it has the focus.
  onCleanup(() => void write(true));
  return {
    text: () => typed() ?? props.value,
    type,
    write: () => void write(),
    /** Hears Enter, Save and Escape. */
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
