import { number } from "../ui/format.ts";

export const overview = "Overview";
/** How many dialogs wait for the user; shown before the other numbers. */
export const needYou = (dialogs: number) => (dialogs === 1 ? "1 needs you." : `${number(dialogs)} need you.`);
export const others = (running: number, queued: number, stopped: number) =>
  [
    running > 0 ? `${number(running)} running` : "",
    queued > 0 ? `${number(queued)} queued` : "",
    stopped > 0 ? `${number(stopped)} stopped` : "",
  ]
    .filter(Boolean)
    .join(", ");
/** "313K tokens, $1.53." */
export const used = (tokens: string, cost: string | null) => (cost === null ? `${tokens} tokens.` : `${tokens} tokens, ${cost}.`);
export const nothingGoesOn = "No agent is running.";

export const show = "Show";
export const filters = { all: "All", waiting: "Waiting", running: "Running", stopped: "Stopped" } as const;
export const filterCount = (filter: string, dialogs: number) => `${filter} ${number(dialogs)}`;
export const noneHere = "No dialogs here. Select All to see every dialog.";

export const grid = "Dialogs, each under the one that launched it";
export const columnDialog = "Dialog";
export const columnState = "State";
export const columnDoing = "Activity";
export const columnSince = "Since";
export const columnTokens = "Tokens";
export const columnCost = "Cost";
export const columnActions = "Actions";

/** Each after a shape, in a column of states. */
export const asksYou = "needs approval";
export const waits = "waiting for you";
export const running = "running";
export const queued = "queued";
export const stopped = "stopped";
export const completed = "completed";
export const error = "error";

export const fold = (slug: string) => `Fold ${slug}`;
export const unfold = (slug: string) => `Unfold ${slug}`;
/** Read out after the number. */
export const tokensUnit = "tokens";

export const approve = "Approve";
export const approveAll = "Approve all";
export const showAll = "Show all";
export const deny = "Deny…";
export const denyAll = "Deny all…";
export const open = "Open";
export const answer = "Answer…";
export const stop = "Stop";
export const continueLabel = "Continue";
export const remove = "Delete";
/** The name of a button for one row: the visible word first. */
export const about = (label: string, slug: string) => `${label.replace(/…$/, "")} ${slug}`;
export const quoted = (question: string) => `“${question}”`;

export const whyNot = "Tell the agent why (optional). It reads your reason and continues.";
export const denyNow = "Deny";
export const cancel = "Cancel";

export const approved = (slug: string) => `Approved for ${slug}.`;
export const denied = (slug: string) => `Denied for ${slug}.`;
export const moved = "The list just moved. Press again.";
export const onItsWay = "Sending your decision…";
export const notAsked = (why: string) => `Couldn't read the request: ${why}`;
export const notStopped = (slug: string, why: string) => `Couldn't stop ${slug}: ${why}`;

export const rule = "A row shows Approve only when you can see everything you approve.";
export const keyMove = "move";
export const keyApprove = "approve";
export const keyDeny = "deny, with or without a reason";
export const keyOpen = "open";
