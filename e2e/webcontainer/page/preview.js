// Runs in every page of a preview before its own scripts: reloads the page on request, and reports errors.
(() => {
  /** @type {{ previewId: string; port: number; forward: boolean | "exceptions-only"; messagePath: string }} */
  const { previewId, port, forward, messagePath } = JSON.parse(document.currentScript?.dataset["preview"] ?? "");

  addEventListener("message", ({ data }) => {
    if (data?.type !== "LOCALSERVICE_RELOAD_WINDOW") return;
    data.callback.postMessage({ type: "LOCALSERVICE_WINDOW_RELOADED" });
    location.reload();
  });

  if (forward === false) return;

  /** @param {object} message */
  const tell = (message) => {
    const { pathname, search, hash } = location;
    navigator.sendBeacon(messagePath, JSON.stringify({ ...message, previewId, port, pathname, search, hash }));
  };
  /** @param {string} type @param {unknown} error */
  const tellError = (type, error) => {
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
    tell({ type, message, stack });
  };
  addEventListener("error", ({ error, message }) => tellError("PREVIEW_UNCAUGHT_EXCEPTION", error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => tellError("PREVIEW_UNHANDLED_REJECTION", reason));
  if (forward === "exceptions-only") return;
  const { error } = console;
  console.error = (...args) => {
    error.apply(console, args);
    tell({ type: "PREVIEW_CONSOLE_ERROR", args: args.map(String), stack: new Error("console.error").stack ?? "" });
  };
})();
