import { createEffect, createSignal, type Accessor } from "solid-js";

/**
 * The answer to the newest question; null until it arrives. Unlike a resource, it never suspends the view around it, which would remove a field that
 * the user is typing in, or an open dialog box, from the page.
 */
export function createLatest<Question, Value>(
  question: Accessor<Question>,
  ask: (question: Question) => Promise<Value>,
): Accessor<Value | null> {
  const [value, setValue] = createSignal<Value | null>(null);
  let turn = 0;
  createEffect(() => {
    void take(question());
  });
  async function take(asked: Question) {
    const mine = ++turn;
    const answer = await ask(asked);
    if (mine === turn) setValue(() => answer);
  }
  return value;
}
