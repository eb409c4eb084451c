export const notIsolated =
  "WebContainer needs this page isolated from other sites. Turn it on in Settings under “Sandbox”. If it's already on, reload the page.";
export const offline = "You're offline. WebContainer loads its code from stackblitz.com.";
export const policyRefuses = "This page isn't set up for WebContainer yet. Reload to continue.";
export const hostNotReached = "Couldn't reach stackblitz.com within 20 seconds. A firewall or a browser extension may be blocking it.";
export const hostSilent =
  "WebContainer loaded but didn't start within 20 seconds. stackblitz.com may be slow, or your browser may be blocking third-party storage, which it needs.";
export const hostStuck =
  "Reached stackblitz.com, but WebContainer wasn't ready within 20 seconds. Vibey will use it as soon as it is. If that doesn't happen, reload the page.";
export const bootRefused = (why: string) => `WebContainer couldn't start: ${why}`;
export const notRunning = "WebContainer isn't running.";
export const containerFailed = (why: string) => `WebContainer failed: ${why}`;
export const containerSilent = "WebContainer stopped responding. It may have crashed, or the browser closed it.";
export const frameGone = "WebContainer was removed from the page. Reload to start it again.";
export const processFailed = (why: string) => `Couldn't run the program: ${why}`;
export const strangeSnapshot = "WebContainer returned its files in an unknown format.";

/** Written to the console of a server's page. */
export const leftOut = (count: string) => `${count} more messages not shown.`;
export const rejected = (why: string) => `Unhandled rejection: ${why}`;
export const notShown = (why: string) => `(can't display this value: ${why})`;
