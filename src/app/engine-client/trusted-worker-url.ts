interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypesFactory {
  createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy;
}

/** A worker's address under Trusted Types: the policy `vibey-worker` lets scripts of our own origin through, and no other. */
export function trustedWorkerUrl(url: string): string {
  const rules: ScriptUrlPolicy = {
    createScriptURL(text) {
      if (new URL(text, document.baseURI).origin !== location.origin) throw new TypeError(`not a script of this app: ${text}`);
      return text;
    },
  };
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesFactory };
  return (trustedTypes?.createPolicy("vibey-worker", rules) ?? rules).createScriptURL(url);
}
