import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const asksFor = (things: number) => `The agent needs ${counted(things, "decision")}`;
export const cutOff = "The agent's answer was cut off. These requests are complete, but more may have followed.";
export const approve = "Approve";
export const approveChanged = "Approve with changes";
/** A button; `open`: its fields are shown. */
export const edit = (open: boolean) => (open ? "Discard edits" : "Edit…");
export const approveAll = "Approve all";
export const approveRest = "Approve the rest and submit";
export const deny = "Deny";
export const denyAll = "Deny all";
export const denyRest = "Deny the rest and submit";
export const denyAndSay = "Deny with a reason…";
export const choiceApprove = "Approve";
export const choiceDeny = "Deny";
export const choiceOf = (nth: number, wish: string) => `Decide on ${number(nth)}: ${wish}`;
export const allOfThem = "All of them";
export const sendChoices = "Submit decisions";
/** Beside the button that shows what has not been in view. */
export const readFirst = "Scroll to the end to approve.";
export const readAllFirst = (left: number) => `Scroll to the end of ${left === 1 ? "the last one" : `${number(left)} more`} to approve.`;
export const showRest = "Show rest";
export const showNext = "Show next";
/** The progress of the decisions: "2 of 5 decided." */
export const decided = (done: number, of: number) => `${number(done)} of ${number(of)} decided.`;
export const reasonOfAgent = "The agent's reason: ";
export const showMessages = "Show messages";
export const whyNot = "Tell the agent why. It reads your reason and continues.";
export const whyNotThis = "Tell the agent why (optional). It reads your reason. Your other choices stay.";
/** Sent to the agent, in the user's name. */
export const reasonFor = (nth: number, of: number, tool: string, reason: string) => `About call ${nth} of ${of} (${tool}): ${reason}`;
export const sendReason = "Deny and send";
export const withoutReason = "Cancel";
export const notTaken = (why: string) => `Your decision wasn't saved: ${why}`;

export const keyLocked = (provider: string) =>
  `Your ${provider} key is locked. You'll be asked to unlock it when you approve. If you don't, what you approve still runs, then the agent stops.`;
export const noKey = (provider: string) => `No API key for ${provider} yet. What you approve still runs, then the agent stops.`;
export const enterKey = "Add a key";
export const unlock = "Unlock";

export const wantsToReach = ["A command wants to connect to ", { slot: "host" }] as const;
export const wantsMethod = ["A command wants to do more than read from ", { slot: "host" }] as const;
export const wantsToSend = ["A command wants to send data to ", { slot: "host" }] as const;
export const theRequest = "Request details";
export const requestProgram = "Program";
export const requestLine = "Request";
export const requestBody = "Sends";
export const requestAddress = "Address";
export const requestCredentials = "Credentials";
export const requestFiles = "Contents of";
export const bodyOfType = (size: string, type: string) => `${size} of ${type}`;
export const bodyJson = "JSON";
export const bodyForm = "form fields";
export const bodyText = "text";
export const addressLength = (characters: string) => `${characters} characters after the host`;
export const readMeaning =
  "“GET only” lets commands in this dialog read from this host. “All methods” also lets them change things there. You'll be asked again before they send anything that may come from this project.";
export const methodMeaning =
  "This request isn't a plain GET: it can change things on this host. You'll be asked again before commands send anything that may come from this project.";
export const sendMeaning =
  "This request may send data from this project. If you allow it, any command in this dialog can use all methods on this host and send it anything it can read in this project.";
export const allowGet = "Allow GET only";
export const allowAll = "Allow all methods";
export const allowUploads = "Allow uploads";
export const keepGet = "Keep GET only";
export const noUploads = "No uploads";
export const refuseHost = "Block";
export const answerNotTaken = (why: string) => `Your answer wasn't saved: ${why}`;
