import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const showAll = "Show all models";
export const models = "Models";
export const loading = "Loading models…";
export const none = "No models to show. Enter a model ID.";
export const noMatch = "No matching models. The ID you typed is used as it is.";
export const count = (found: number) => counted(found, "model");
export const more = (left: number) => `${number(left)} more. Type to narrow the list.`;
