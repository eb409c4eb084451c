interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypesFactory {
  createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy;
}

/** Returns the address if it is that of a script of our own origin; anything else throws. A `blob:` address has our origin but is no such script. */
export function ownScript(text: string, base: string): string {
  const url = new URL(text, base);
  const own = new URL(base);
  if (url.origin !== own.origin || url.protocol !== own.protocol) throw new TypeError(`not a script of this app: ${text}`);
  return text;
}

let policy: ScriptUrlPolicy | null = null;

/** Creates a module worker through the Trusted Types policy `vibey-worker`, which allows only scripts of our own origin. */
export function trustedWorker(url: string, name: string): Worker {
  // A policy name can be used only once per realm.
  policy ??= createPolicy();
  return new Worker(policy.createScriptURL(url), { type: "module", name });
}

function createPolicy(): ScriptUrlPolicy {
  const rules: ScriptUrlPolicy = { createScriptURL: (text) => ownScript(text, self.location.href) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the WebWorker library does not know Trusted Types yet.
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesFactory };
  return trustedTypes?.createPolicy("vibey-worker", rules) ?? rules;
}
