import { counted } from "./counted.ts";

export const asksFor = (things: number) => `The agent asks for ${counted(things, "thing")}`;
export const approve = "Approve";
export const approveAll = "Approve all";
export const deny = "Deny";
export const denyAll = "Deny all";
export const denyAndSay = "Deny and say why…";
export const choiceApprove = "approve";
export const choiceDeny = "deny";
export const allOfThem = "all of them";
export const sendChoices = "Send decisions";
export const readFirst = "Read to the end of what it wants to do, then you can approve.";
export const whyNot = "Why not? The agent reads this and goes on.";
export const sendReason = "Deny and send";
export const withoutReason = "Back";
export const notTaken = (why: string) => `Your decision was not taken: ${why}`;

export const keyLocked = (provider: string) => `The key for ${provider} is locked. To approve asks you to unlock it.`;
export const unlock = "Unlock";

export const wantsToReach = ["The command wants to reach ", { slot: "host" }] as const;
export const theRequest = "The request";
export const requestProgram = "Program";
export const requestLine = "Request";
export const reachMeaning =
  "If you allow it, commands of this dialog may reach this host from now on, and send it anything they can read in this project.";
export const allowHost = "Allow";
export const refuseHost = "Refuse";
export const answerNotTaken = (why: string) => `Your answer was not taken: ${why}`;
