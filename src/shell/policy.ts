import type { Timers } from "./timers.ts";

/** Settles when commands may run: null; or with a sentence that says why they can't. `show`: what it waits for; "" when that is over. */
export type PolicyWait = (signal: AbortSignal, show: (text: string) => void) => Promise<string | null>;

/** Milliseconds between two looks, and for all of them: the service worker first stores the app, which takes long on a slow line. */
const lookEvery = 500;
const lookFor = 180_000;

/** Milliseconds for one look. One that hangs is given up, and the next one asks again. */
const answerWithin = 5_000;

const waiting =
  "Waiting for the shell's security policy. This host sends none, so this browser's service worker adds it after the first load…";

const refusal =
  "vibey: not run: this host sends no security policy for the shell, and no service worker adds it. Reload the page. If that does not help, this window " +
  "can't have a service worker (as in some private windows): open Vibey in a normal window, or on a host that sends its headers (docs/hosting.md)\n";

/**
 * Commands wait until what is served as the shell's script comes with its policy. Once it does, nothing is looked at anymore. `ask` is called
 * when a command begins to wait: the page then registers the service worker without waiting for a quiet moment.
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

/** Whether a policy keeps a worker from the network, and from making code of a text. */
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
 * Asks for the script as the worker will: what answers this also answers that, be it the host or the service worker. Not the browser's cache, which may
 * hold an answer of an earlier day. `late`: when to give up on an answer.
 */
export async function comesWithPolicy(url: string, late: AbortSignal = AbortSignal.timeout(answerWithin)): Promise<boolean> {
  const enough = new AbortController();
  try {
    const { headers } = await fetch(url, { signal: AbortSignal.any([enough.signal, late]), cache: "no-store" });
    return isStrict(headers.get("Content-Security-Policy"));
  } catch {
    // It can't be had now; the next look may find it.
    return false;
  } finally {
    enough.abort();
  }
}
