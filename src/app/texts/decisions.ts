import { number } from "../ui/words.ts";
import { counted } from "./counted.ts";

export const asksFor = (things: number) => `The agent asks for ${counted(things, "thing")}`;
export const cutOff = "The agent's answer was cut off. These requests are complete, but more may have followed.";
export const approve = "Approve";
export const approveAll = "Approve all";
export const approveRest = "Approve the rest and send";
export const deny = "Deny";
export const denyAll = "Deny all";
export const denyRest = "Deny the rest and send";
export const denyAndSay = "Deny and say why…";
export const choiceApprove = "Approve";
export const choiceDeny = "Deny";
export const choiceOf = (nth: number, wish: string) => `Decide on ${number(nth)}: ${wish}`;
export const allOfThem = "all of them";
export const sendChoices = "Send decisions";
/** Beside the button that shows what has not been in view. */
export const readFirst = "Scroll to the end to approve.";
export const readAllFirst = (left: number) => `Scroll to the end of ${left === 1 ? "the last one" : `${number(left)} more`} to approve.`;
export const showRest = "Show the rest";
export const showNext = "Show the next one";
/** How far the decisions are: "2 of 5 decided." */
export const decided = (done: number, of: number) => `${number(done)} of ${number(of)} decided.`;
export const reasonOfAgent = "The agent's reason: ";
export const showMessages = "Show messages";
export const whyNot = "Why not? The agent reads this and continues.";
export const whyNotThis = "Why not? Optional. The agent reads this; your other choices stay.";
/** Sent to the agent, in the person's name. */
export const reasonFor = (nth: number, of: number, tool: string, reason: string) => `About call ${nth} of ${of} (${tool}): ${reason}`;
export const sendReason = "Deny and send";
export const withoutReason = "Back";
export const notTaken = (why: string) => `Your decision was not taken: ${why}`;

export const keyLocked = (provider: string) =>
  `The key for ${provider} is locked. To approve asks you to unlock it. If you don't, what you approve still runs, and the agent stops after it.`;
export const noKey = (provider: string) => `No key for ${provider} is here. What you approve still runs, and the agent stops after it.`;
export const enterKey = "Enter a key";
export const unlock = "Unlock";

export const wantsToReach = ["The command wants to reach ", { slot: "host" }] as const;
export const wantsMethod = ["The command wants to do more than read at ", { slot: "host" }] as const;
export const wantsToSend = ["The command wants to send something to ", { slot: "host" }] as const;
export const theRequest = "The request";
export const requestProgram = "Program";
export const requestLine = "Request";
export const requestBody = "Sends";
export const requestAddress = "Address";
export const requestCredentials = "Says who asks";
export const requestFiles = "Contents of";
export const bodyOfType = (size: string, type: string) => `${size} of ${type}`;
export const bodyJson = "JSON";
export const bodyForm = "form fields";
export const bodyText = "text";
export const addressLength = (characters: string) => `${characters} characters behind the host`;
export const readMeaning =
  "“GET only” lets commands of this dialog read from this host. “All methods” also lets them change things there. Before they send what may come from this project, you are asked again.";
export const methodMeaning =
  "This request is not a plain GET: it can change things at this host. Before commands send what may come from this project, you are asked again.";
export const sendMeaning =
  "What this request sends may come from this project. If you allow it, commands of this dialog may use all methods at this host, and send it anything they can read in this project.";
export const allowGet = "Allow GET only";
export const allowAll = "Allow all methods";
export const allowUploads = "Allow uploads";
export const keepGet = "Keep GET only";
export const noUploads = "No uploads";
export const refuseHost = "Refuse";
export const answerNotTaken = (why: string) => `Your answer was not taken: ${why}`;
