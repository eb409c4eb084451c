export const where = "Where commands run";
export const embedded = "Built-in shell";
export const embeddedWhat =
  "Starts instantly, works offline, and connects to a host only when you allow it. It has git, node, npm, and Python, and runs servers. It can't run native programs.";
export const container = "WebContainer";
export const containerWhat = "Real Node.js, npm, and packages, and dev servers you can open in the preview. Also runs in this browser.";

export const nodeEngine = "Run node with the browser's own engine";
export const nodeEngineWhat =
  "Runs loops about ten times as fast as QuickJS, with worker threads and WebAssembly. Each dialog's programs run in a hidden frame that can't reach the network, this page, or your keys. In Firefox and Safari, a program that fills memory can take this tab down; your text is kept. Without it, node runs on QuickJS: slower, more isolated, and limited to 512 MB.";

export const runsWhere = "Where it runs";
export const containerWhere =
  "In this browser, using StackBlitz code that's loaded from stackblitz.com each time. It needs a network connection and holds a copy of this project's files while it runs.";
export const costs = "Cost";
export const containerCosts =
  "Free for open source, prototypes, and personal use. Commercial production use needs a license from StackBlitz.";
export const trust = "Network access";
export const containerTrust =
  "Any host, without asking you each time. You won't see what commands send, so read each command before you approve it.";

export const loadedAnew =
  "Vibey needs to reload once in all open tabs so the browser can isolate it from other sites. Unsent text and keys are kept. Running dialogs are interrupted; use Continue to pick them up.";
export const useContainer = "Use WebContainer";
export const useAndReload = "Use WebContainer and reload";
export const reload = "Reload";
export const gettingReady = "Getting ready…";
export const notChosen = (why: string) => `Couldn't switch: ${why}`;
export const notIsolated = (why: string) => `Couldn't isolate Vibey in this browser: ${why}. Nothing was changed.`;
export const workerLate = "the service worker took too long";
export const impossible =
  "WebContainer isn't available here: this browser can't isolate a page from other sites, or has no service worker for Vibey. Private windows often lack these.";

export const off = "Not in use.";
export const resting = "Starts with the next command.";
export const stranded = "Can't start until you reload this page.";
export const starting = "Starting…";
export const running = "Running.";
export const unavailable = "Unavailable right now. Commands run in the built-in shell instead.";
export const tryAgain = "Try again";
export const elsewhere = "Running in the Vibey tab you opened first. It stops when that tab closes.";

export const isolated = "Vibey's pages are isolated from other sites. Only WebContainer needs this.";
export const isolatedAndUsed =
  "Vibey's pages are isolated from other sites so WebContainer can run. Without isolation, your projects use the built-in shell.";
export const endIsolation = "Turn off isolation and reload";
export const isolationTrouble = (why: string) => `The browser's storage didn't respond: ${why}`;
