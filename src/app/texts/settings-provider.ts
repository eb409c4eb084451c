import { counted } from "./counted.ts";

export const provider = "Provider";
export const claude = "Claude";
export const openai = "OpenAI and compatible";
export const notRead = (why: string) => `These settings could not be read: ${why}`;

export const server = "Server";
export const otherAddress = "Another address";
export const address = "Address";
export const key = "API key";
export const keyNotNeeded = "None is needed";
export const keyLocked = "Remembered, and locked";
export const keySet = "Set. Type another to replace it.";
export const keyStays = "It goes only to the address above, and stays in memory until you choose to have it remembered.";
export const modelField = "Model";

export const save = "Save";
export const saved = "Saved.";
export const savedLocked = "Saved. The key for this address is locked.";
export const savedWithoutKey = "Saved. This address has no key yet.";
export const notSaved = (why: string) => `Not saved: ${why}`;

export const test = "Test";
export const asking = "Asking…";
export const works = (models: number) => `It works: ${counted(models, "model")} can be used.`;
export const worksWithout = (models: number, model: string) =>
  `It works: ${counted(models, "model")} can be used, but ${model} is not one of them. Choose another.`;
export const worksNot = (why: string) => `It does not work: ${why}`;
