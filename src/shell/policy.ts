import type { Timers } from "./timers.ts";

/**
 * Settles when commands may run: with null, or with a sentence that says why they can't. `show` receives what it waits for, and "" when the wait is
 * over.
 */
export type PolicyWait = (signal: AbortSignal, show: (text: string) => void) => Promise<string | null>;

/** Milliseconds between two checks, and for all of them. The service worker stores the app first, which takes long on a slow connection. */
const lookEvery = 500;
const lookFor = 180_000;

/** Milliseconds for one check. A check that hangs is abandoned, and the next one asks again. */
const answerWithin = 5_000;

const waiting =
  "Waiting for the shell's security policy. This host sends none, so this browser's service worker adds it after the first load…";

const refusal =
  "vibey: not run: this host sends no security policy for the shell, and no service worker adds it. Reload the page. If that does not help, this window " +
  "can't have a service worker (as in some private windows): open Vibey in a normal window, or on a host that sends its headers (docs/hosting.md)\n";

/**
 * Makes commands wait until the shell's script is served with its policy. After the first success, nothing is checked again. `ask` is called when a
 * command begins to wait: the page then registers the service worker without waiting for an idle moment.
 */
export function createPolicyWait(isInForce: () => Promise<boolean>, timers: Timers, ask: () => void): PolicyWait {
  let known = false;
  return async (signal, show) => {
    const since = timers.now();
    let shown = false;
    while (!known && !signal.aborted) {
      known = await isInForce();
      if (known) break;
      if (timers.now() - since >= lookFor) break;
      if (!shown) {
        ask();
        show(waiting);
      }
      shown = true;
      await new Promise<void>((resolve) => timers.after(lookEvery, resolve));
    }
    if (shown) show("");
    return known || signal.aborted ? null : refusal;
  };
}

/** Whether a policy blocks a worker's network access, and code made from text. */
export function isStrict(policy: string | null): boolean {
  const sources = new Map(
    (policy ?? "").split(";").map((directive) => {
      const [name = "", ...words] = directive.trim().split(/\s+/);
      return [name.toLowerCase(), words.join(" ")];
    }),
  );
  return (
    sources.get("default-src") === "'none'" &&
    sources.get("connect-src") === "'none'" &&
    (sources.get("script-src") ?? "").split(" ").every((source) => source === "'self'" || source === "'wasm-unsafe-eval'")
  );
}

/**
 * Requests the script the way the worker will, so the same host or service worker answers. Skips the browser's cache, which may hold an old answer.
 * `late`: when to give up on the answer.
 */
export async function comesWithPolicy(url: string, late: AbortSignal = AbortSignal.timeout(answerWithin)): Promise<boolean> {
  const enough = new AbortController();
  try {
    const { headers } = await fetch(url, { signal: AbortSignal.any([enough.signal, late]), cache: "no-store" });
    return isStrict(headers.get("Content-Security-Policy"));
  } catch {
    // The script isn't available now; the next check may find it.
    return false;
  } finally {
    enough.abort();
  }
}
