interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypesFactory {
  createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy;
}

let policy: ScriptUrlPolicy | null = null;

/** A worker's address under Trusted Types: the policy `vibey-worker` lets scripts of our own origin through, and no other. */
export function trustedWorkerUrl(address: string): string {
  // A policy's name can be used once in a page.
  policy ??= createPolicy();
  return policy.createScriptURL(address);
}

function createPolicy(): ScriptUrlPolicy {
  const rules: ScriptUrlPolicy = {
    createScriptURL(text) {
      const url = new URL(text, document.baseURI);
      // A blob: address has our origin and is no script that was served.
      if (url.origin !== location.origin || url.protocol !== location.protocol) throw new TypeError(`not a script of this app: ${text}`);
      return text;
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not in every browser, and not in the DOM library.
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesFactory };
  return trustedTypes?.createPolicy("vibey-worker", rules) ?? rules;
}
