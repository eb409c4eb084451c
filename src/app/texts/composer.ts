import { counted } from "./counted.ts";

export const message = "Message";
export const writeHere = "Write to the agent…";
export const send = "Send";
export const notSent = (why: string) => `Not sent: ${why}`;
export const notSentIn = (slug: string, why: string) => `Your message in ${slug} was not sent: ${why} Its text is kept there.`;
export const writingDenies = (things: number) =>
  things === 1
    ? "One thing that the agent asked for is not decided. Writing on denies it."
    : `${counted(things, "thing")} that the agent asked for are not decided. Writing on denies them.`;

export const provider = "Provider";
export const model = "Model";
export const usualModel = "the usual model";
export const noKey = (of: string) => `No key for ${of} is here.`;
export const enterKey = "Enter a key";
export const keyLocked = (of: string) => `The key for ${of} is locked.`;
export const unlock = "Unlock";

export const takingFile = (file: string) => `Taking ${file}…`;
export const dropHere = "Drop the file: a short text is quoted here, anything else goes into the project and is named here.";
export const notTaken = (why: string) => `What was dropped could not be taken (${why}).`;

export const editedMessage = "Your message, to be sent anew";
export const editedMeaning = "It is sent in a new dialog that has everything before it. This dialog stays as it is.";
export const back = "Back";
/** As it stands on the key. */
export const escapeKey = "Esc";
