export const where = "Where agents' commands run";
export const embedded = "Vibey's own shell";
export const embeddedWhat =
  "Starts at once, works without a network, and runs nothing but Vibey's own code. It reaches a host only when you allow it. Node and Python are small ones: no servers, no large packages.";
export const container = "WebContainer";
export const containerWhat = "Real Node.js, npm and packages, and servers whose pages show in the preview. In this browser, too.";

export const runsWhere = "Where it runs";
export const containerWhere =
  "In this browser, by StackBlitz's code, which is loaded from stackblitz.com each time. It needs the network, and holds a copy of this project's files while it runs.";
export const costs = "What it costs";
export const containerCosts =
  "It is free for open source, prototypes and personal use. Production use in a commercial, for-profit setting needs a licence from StackBlitz.";
export const trust = "What it may reach";
export const containerTrust =
  "Any host of the network, without Vibey asking you for each. What a command sends there is not shown: look at the command before you approve it.";

export const loadedAnew =
  "For this, Vibey has to be loaded anew once, in all its open tabs, so that this browser isolates it from other sites. Nothing is lost by that: what you have typed and not sent stays where it is, and so do your keys. Dialogs at work are interrupted, and go on with “Continue”.";
export const useContainer = "Use a WebContainer";
export const useAndReload = "Use a WebContainer and load anew";
export const reload = "Load anew";
export const gettingReady = "Getting ready…";
export const notChosen = (why: string) => `It could not be chosen: ${why}`;
export const notIsolated = (why: string) => `This browser could not be made to isolate Vibey: ${why}. Nothing was changed.`;
export const workerLate = "the service worker took too long";
export const impossible =
  "A WebContainer can't be chosen here: this browser has no service worker for Vibey, or can't isolate a page from other sites. Some private windows are so.";

export const off = "Not in use.";
export const resting = "It starts with the next command.";
export const stranded = "It can't start in this page as it is.";
export const starting = "It is starting…";
export const running = "It is running.";
export const unavailable = "It can't be used now. Commands run in Vibey's own shell instead.";
export const tryAgain = "Try again";
export const elsewhere = "It lives in another tab of Vibey, the one that was opened first, and ends with it.";

export const isolated = "This browser isolates Vibey's pages from other sites, which only a WebContainer needs.";
export const isolatedAndUsed =
  "This browser isolates Vibey's pages from other sites for it. Without that, projects with a WebContainer use Vibey's own shell.";
export const endIsolation = "End the isolation and load anew";
export const isolationTrouble = (why: string) => `The browser's storage gave no answer: ${why}`;
