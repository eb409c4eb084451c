import { createSignal } from "solid-js";
import type { KeysAnswer, SecretBody } from "../../protocol/index.ts";
import type { Answer } from "../model/api/calls.ts";
import { askPasskey, type KnownPasskey, makePasskey, type Passkey } from "./passkey.ts";

/** The secret of a passkey, as the engine wants it. */
export async function passkeySecret(known: KnownPasskey): Promise<Passkey<SecretBody>> {
  const asked = await askPasskey(known);
  return asked.ok ? { ok: true, value: { passkey: { secret: asked.value } } } : asked;
}

export async function newPasskeySecret(): Promise<Passkey<SecretBody>> {
  const made = await makePasskey();
  return made.ok ? { ok: true, value: { passkey: made.value } } : made;
}

/** Something that takes a moment and may fail, and what came of the last. */
export function createDoing() {
  const [busy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal("");
  return {
    busy,
    problem,
    say: setProblem,
    /** Answers with what the engine said, null when it could not be done. */
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
