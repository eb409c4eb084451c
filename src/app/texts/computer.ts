export const notIsolated =
  "This page is not isolated from other sites, which a WebContainer needs. Turn it on in the settings under “Sandbox”, or load the page anew the usual way if it is turned on there.";
export const offline = "There is no network, and WebContainer's code is loaded from stackblitz.com.";
export const policyRefuses = "This page's policy does not let WebContainer in yet. Load the page anew.";
export const hostNotReached =
  "stackblitz.com was not reached within 20 seconds. Perhaps something blocks it here: a firewall, an extension of the browser.";
export const hostSilent =
  "What was loaded from stackblitz.com did not start within 20 seconds. Perhaps it is slow today, or the browser blocks the storage of other sites, which it needs.";
export const hostStuck =
  "stackblitz.com was reached, and no WebContainer was ready within 20 seconds. It is used as soon as it is; if it never is, load the page anew.";
export const bootRefused = (why: string) => `WebContainer did not start: ${why}`;
export const notRunning = "The WebContainer does not run.";
export const containerFailed = (why: string) => `The WebContainer has failed: ${why}`;
export const containerSilent = "The WebContainer answers no more: it has crashed, or the browser has ended it.";
export const frameGone = "The WebContainer's frame was taken out of the page. Load the page anew to have one again.";
export const processFailed = (why: string) => `The program could not be run: ${why}`;
export const strangeSnapshot = "The WebContainer handed out its files in a form that is not known.";

/** Written to the console of a server's page. */
export const leftOut = (count: string) => `${count} more messages were left out.`;
export const rejected = (why: string) => `Unhandled rejection: ${why}`;
export const notShown = (why: string) => `(a value that cannot be shown: ${why})`;
