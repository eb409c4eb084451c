import { counted } from "./counted.ts";

/** In the record of an agent outside Vibey. */
export const alwaysOutside = (framework: string) => `Always allow calls like this in ${framework}, using its own rules`;
export const handsBack = (rules: number) => (rules === 1 ? "It will save this rule:" : "It will save these rules:");
export const yourAnswer = "Your answer";
export const isRecord = (framework: string) =>
  `This is a record of an agent that runs outside Vibey (${framework}). Here you can read it, answer its requests, and continue it in a new dialog.`;
export const takesNone = "It takes no messages from here.";
export const messageTo = (name: string) => `Message to ${name}`;
export const writeTo = (name: string) => `Message ${name}…`;
export const send = "Send";
export const stop = "Stop";
export const pending = (messages: number) =>
  `${counted(messages, "message")} not delivered yet. The agent gets ${messages === 1 ? "it" : "them"} with its next step.`;
export const answerFirst = "Approve or deny the request above, then you can write.";
export const stopping = "The agent stops with its next step.";
export const notSent = (why: string) => `Couldn't send: ${why}`;
export const notStopped = (why: string) => `Couldn't stop it: ${why}`;
export const worksIn = (folder: string) => `It works in ${folder}.`;
export const continueHere = "Continue here";
export const continueHint = "Starts a dialog in Vibey with everything up to the last message. The record stays as it is.";
export const notContinued = (why: string) => `Couldn't continue it here: ${why}`;
