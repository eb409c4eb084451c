import { createSignal } from "solid-js";
import type { KeysAnswer, SecretBody } from "../../protocol/index.ts";
import type { Answer } from "../model/api/calls.ts";
import { askPasskey, type KnownPasskey, makePasskey, type Passkey } from "./passkey.ts";

/** The secret of a passkey, in the form that the engine takes. */
export async function passkeySecret(known: KnownPasskey): Promise<Passkey<SecretBody>> {
  const asked = await askPasskey(known);
  return asked.ok ? { ok: true, value: { passkey: { secret: asked.value } } } : asked;
}

export async function newPasskeySecret(): Promise<Passkey<SecretBody>> {
  const made = await makePasskey();
  return made.ok ? { ok: true, value: { passkey: made.value } } : made;
}

/** An action that takes a moment and may fail, and the outcome of the last one. */
export function createDoing() {
  const [busy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal("");
  return {
    busy,
    problem,
    say: setProblem,
    /** Resolves to the engine's answer, or to null if the action failed. */
    async run(work: Promise<Answer<KeysAnswer> | { readonly ok: false; readonly message: string }>): Promise<KeysAnswer | null> {
      setBusy(true);
      setProblem("");
      const answer = await work;
      setBusy(false);
      if (answer.ok) return answer.value;
      setProblem(answer.message);
      return null;
    },
  };
}
