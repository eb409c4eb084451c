import { counted } from "./counted.ts";

export const provider = "Provider";
export const claude = "Claude";
export const openai = "OpenAI or compatible";
export const notRead = (why: string) => `Couldn't read these settings: ${why}`;

export const server = "Server";
export const otherAddress = "Custom address";
export const address = "Address";
export const key = "API key";
export const keyNotNeeded = "Not needed";
export const keyLocked = "Saved and locked";
export const keySet = "Set. A new key replaces it.";
export const keyStays = "Sent only to the address above. Kept in memory unless you save it on this device.";
export const modelField = "Model";

export const save = "Save";
export const unsaved = "Not saved yet.";
export const saved = "Saved.";
export const savedLocked = "Saved. The key for this address is locked.";
export const savedWithoutKey = "Saved. No key for this address yet.";
export const notSaved = (why: string) => `Couldn't save: ${why}`;

export const test = "Test connection";
export const asking = "Testing…";
export const works = (models: number) => `Connected. ${counted(models, "model")} available.`;
export const worksWithout = (models: number, model: string) =>
  `Connected. ${counted(models, "model")} available, but not ${model}. Choose another model.`;
/** The engine's message says where to look, which is here. */
export const worksNot = (why: string) => `Couldn't connect: ${why.replace(" in Settings", "")}`;
