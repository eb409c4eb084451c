/**
 * Makes one request of a command, and follows its redirects. A browser hides from a script where a redirect leads, so no script can
 * look at the address before it is reached; the browser itself can. This document gives itself a policy that names the hosts which may
 * be reached, and the browser holds every redirect against it before it follows it.
 *
 * The app frames this page for one request, hidden, and takes the frame away afterwards. They speak so:
 *
 *   frame → app     `{type: "hello"}` to the parent window, once
 *   app → frame     `{type: "port"}` to the window, with a MessagePort, whose other end the engine holds
 *   then, over the port:
 *   engine → frame  `{type: "request", url, method, headers, sources, mostBytes}`: `sources` are origins; nothing else is reached
 *                   `{type: "abort"}`
 *   frame → engine  `{type: "answer", url, status, statusText, headers, body}` with the body as an ArrayBuffer
 *                   `{type: "blocked"}`: a redirect led to none of `sources`, and was not followed
 *                   `{type: "large"}`, `{type: "failed", message}`
 *   frame → app     `{type: "bye"}` to the parent window: nothing more comes
 */
(() => {
  "use strict";

  if (window.parent === window) return;
  const stop = new AbortController();
  let engine = null;

  window.addEventListener("message", ({ source, origin, data, ports }) => {
    if (source !== window.parent || origin !== window.origin || data?.type !== "port" || engine !== null || !ports[0]) return;
    [engine] = ports;
    engine.addEventListener("message", (event) => void hear(event.data));
    engine.start();
  });
  window.parent.postMessage({ type: "hello" }, window.origin);

  let asked = false;
  async function hear(message) {
    if (message?.type === "abort") stop.abort();
    if (message?.type !== "request" || asked) return;
    asked = true;
    const result = await answer(message).catch((error) => failed(String(error?.message ?? error)));
    engine.postMessage(result, result.body ? [result.body] : []);
    window.parent.postMessage({ type: "bye" }, window.origin);
  }

  async function answer({ url, method, headers, sources, mostBytes }) {
    const origin = /^https?:\/\/[a-z0-9.-]+(?::[0-9]{1,5})?$/;
    if (!Array.isArray(sources) || !sources.every((source) => origin.test(source))) return failed("the hosts can't be named in a policy");
    const policy = document.createElement("meta");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = `default-src 'none'; connect-src ${sources.length > 0 ? sources.join(" ") : "'none'"}`;
    document.head.append(policy);
    if (!(await isShut())) return failed("this browser does not hold redirects against a policy");

    const blocked = violation();
    try {
      const response = await fetch(url, {
        method,
        headers,
        redirect: "follow",
        credentials: "omit",
        referrerPolicy: "no-referrer",
        cache: "no-store",
        signal: stop.signal,
      });
      const body = await read(response, mostBytes);
      if (body === null) return { type: "large" };
      const { status, statusText } = response;
      return { type: "answer", url: response.url, status, statusText, headers: [...response.headers], body };
    } catch (error) {
      return (await blocked()) ? { type: "blocked" } : failed(String(error?.message ?? error));
    }
  }

  /** Whether the policy holds: it must keep this document from an address that is nowhere. */
  async function isShut() {
    const heard = violation();
    const reached = await fetch("https://policy.invalid/").then(
      () => true,
      () => false,
    );
    return !reached && (await heard());
  }

  /** Listens for the policy's word that it kept something away; asked for, it is waited for a little, because it comes behind the failure. */
  function violation() {
    const heard = new Promise((resolve) => {
      document.addEventListener("securitypolicyviolation", () => resolve(true), { once: true });
    });
    return () => Promise.race([heard, new Promise((resolve) => setTimeout(() => resolve(false), 250))]);
  }

  /** The body; null when it has more bytes. */
  async function read(response, mostBytes) {
    const reader = response.body?.getReader();
    const parts = [];
    let length = 0;
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) break;
      length += value.length;
      if (length > mostBytes) {
        await reader.cancel();
        return null;
      }
      parts.push(value);
    }
    return new Blob(parts).arrayBuffer();
  }

  function failed(message) {
    return { type: "failed", message };
  }
})();
