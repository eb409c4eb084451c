interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypesFactory {
  createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy;
}

/** The address, when it is that of a script of our own origin; anything else throws. A `blob:` address has our origin and is no such script. */
export function ownScript(text: string, base: string): string {
  const url = new URL(text, base);
  const own = new URL(base);
  if (url.origin !== own.origin || url.protocol !== own.protocol) throw new TypeError(`not a script of this app: ${text}`);
  return text;
}

let policy: ScriptUrlPolicy | null = null;

/** A module worker whose address passed the Trusted Types policy `vibey-worker`: scripts of our own origin and no other. */
export function trustedWorker(url: string, name: string): Worker {
  // A policy's name can be used once in a realm.
  policy ??= createPolicy();
  return new Worker(policy.createScriptURL(url), { type: "module", name });
}

function createPolicy(): ScriptUrlPolicy {
  const rules: ScriptUrlPolicy = { createScriptURL: (text) => ownScript(text, self.location.href) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the WebWorker library does not know Trusted Types yet.
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesFactory };
  return trustedTypes?.createPolicy("vibey-worker", rules) ?? rules;
}
