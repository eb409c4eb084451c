/**
 * Makes one request of a command, and follows its redirects. Browsers hide a redirect's target from scripts, so a script can't check
 * the address before it is requested, but the browser can. This document gives itself a policy that names the allowed hosts, and the
 * browser checks every redirect against the policy before it follows it.
 *
 * The app loads this page in a hidden frame for one request, and then removes the frame. The messages:
 *
 *   frame → app     `{type: "hello"}` to the parent window, once
 *   app → frame     `{type: "port"}` to the window, with a MessagePort, whose other end belongs to the engine
 *   then, over the port:
 *   engine → frame  `{type: "request", url, method, headers, sources, mostBytes}`: `sources` are the only allowed origins
 *                   `{type: "abort"}`
 *   frame → engine  `{type: "answer", url, status, statusText, headers, body}` with the body as an ArrayBuffer
 *                   `{type: "blocked"}`: a redirect led elsewhere than to `sources`, and was not followed
 *                   `{type: "large"}`, `{type: "failed", message}`
 *   frame → app     `{type: "bye"}` to the parent window: this was the last message
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

  /** Whether the policy works: it must block a request to an address that doesn't exist. */
  async function isShut() {
    const heard = violation();
    const reached = await fetch("https://policy.invalid/").then(
      () => true,
      () => false,
    );
    return !reached && (await heard());
  }

  /** Listens for a violation of the policy. The result waits up to 250 ms for the event, which comes after the request has failed. */
  function violation() {
    const heard = new Promise((resolve) => {
      document.addEventListener("securitypolicyviolation", () => resolve(true), { once: true });
    });
    return () => Promise.race([heard, new Promise((resolve) => setTimeout(() => resolve(false), 250))]);
  }

  /** The body. Null if it has more than `mostBytes`. */
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
