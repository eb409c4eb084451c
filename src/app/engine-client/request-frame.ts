import * as t from "../texts/request-frame.ts";

/** Milliseconds until a frame is removed in any case: longer than any request may take. */
const longest = 90_000;

/**
 * Creates a hidden frame for one request of a command and gives it the engine's port; see `public/net/request.js`. The frame is removed when it
 * reports that it is done.
 */
export function openRequestFrame(port: MessagePort): void {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.title = t.title;
  frame.src = new URL("net/index.html", document.baseURI).href;
  const close = (): void => {
    clearTimeout(timer);
    window.removeEventListener("message", hear);
    frame.remove();
  };
  const hear = ({ source, origin, data }: MessageEvent<{ readonly type?: unknown } | null>): void => {
    const own = frame.contentWindow;
    if (own === null || source !== own || origin !== window.origin) return;
    if (data?.type === "hello") own.postMessage({ type: "port" }, window.origin, [port]);
    else if (data?.type === "bye") close();
  };
  const timer = setTimeout(close, longest);
  window.addEventListener("message", hear);
  document.body.append(frame);
}
