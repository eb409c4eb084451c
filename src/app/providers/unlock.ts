import { createSignal } from "solid-js";
import { readProvider } from "../model/api/calls.ts";
import { keyed } from "./names.ts";

/** Asks the user to unlock the saved keys when one is about to be needed. */
export function createUnlocker() {
  const [waiting, setWaiting] = createSignal<readonly ((unlocked: boolean) => void)[]>([]);
  function answer(unlocked: boolean) {
    for (const resolve of waiting()) resolve(unlocked);
    setWaiting([]);
  }
  async function isLocked(names: readonly string[]): Promise<boolean> {
    const answers = await Promise.all(names.map((name) => readProvider(name)));
    return answers.some((each) => each.ok && each.value.key === "locked");
  }
  return {
    /** Whether the user is being asked. */
    asks: () => waiting().length > 0,
    /** The user's answer: whether they unlocked the keys. */
    answer,
    /** True as soon as no key of these providers is locked; false: the user does not want to unlock it now. */
    ready: async (...names: readonly string[]): Promise<boolean> => {
      if (!(await isLocked(names.length === 0 ? keyed : names))) return true;
      return new Promise((resolve) => setWaiting((others) => [...others, resolve]));
    },
    /** To be called when something has happened to the keys: another tab may have unlocked them. */
    async look() {
      if (waiting().length > 0 && !(await isLocked(keyed))) answer(true);
    },
  };
}
