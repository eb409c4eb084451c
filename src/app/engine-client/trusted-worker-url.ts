interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypesFactory {
  createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy;
}

let policy: ScriptUrlPolicy | null = null;

/** A worker's address under Trusted Types. The policy `vibey-worker` allows scripts of our own origin and no others. */
export function trustedWorkerUrl(address: string): string {
  // A page can create a policy with a given name only once.
  policy ??= createPolicy();
  return policy.createScriptURL(address);
}

function createPolicy(): ScriptUrlPolicy {
  const rules: ScriptUrlPolicy = {
    createScriptURL(text) {
      const url = new URL(text, document.baseURI);
      // A blob: address has our origin, but no server sent that script.
      if (url.origin !== location.origin || url.protocol !== location.protocol) throw new TypeError(`not a script of this app: ${text}`);
      return text;
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- missing in some browsers, and in the DOM library's types.
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesFactory };
  return trustedTypes?.createPolicy("vibey-worker", rules) ?? rules;
}
