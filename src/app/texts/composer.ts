import { counted } from "./counted.ts";

export const message = "Message";
export const writeHere = "Message the agent…";
export const writeInRoom = "Message the room. Mention an agent with @ to get an answer…";
export const send = "Send";
export const notSent = (why: string) => `Couldn't send: ${why}`;
export const notSentIn = (slug: string, why: string) => `Couldn't send your message in ${slug}: ${why} The text is still there.`;
export const writingDenies = (things: number) =>
  things === 1
    ? "The agent is waiting for a decision. Sending a message denies the request."
    : `The agent is waiting for ${counted(things, "decision")}. Sending a message denies them all.`;

export const provider = "Provider";
export const model = "Model";
export const usualModel = "default model";
export const noKey = (of: string) => `No API key for ${of} yet.`;
export const enterKey = "Add a key";
export const keyLocked = (of: string) => `Your ${of} key is locked.`;
export const unlock = "Unlock";

export const takingFile = (file: string) => `Adding ${file}…`;
export const dropHere = "Drop to attach. Short text is quoted here; other files are added to the project and linked.";
export const notTaken = (why: string) => `Couldn't add what you dropped (${why}).`;

export const editedMessage = "Edit and resend";
export const editedMeaning = "Sends the edited message in a new dialog, with everything before it. This dialog stays as it is.";
export const back = "Cancel";
/** As on the key. */
export const escapeKey = "Esc";
