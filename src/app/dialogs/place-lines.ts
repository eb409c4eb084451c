import { locateDialog } from "../../dialog/lines.ts";
import type { Lines, TextPlace } from "../model/route.ts";

/** The lines of a dialog's file where this place stands; null when there is none. */
export function placeLines(markdown: string, { section, part }: TextPlace): Lines | null {
  const found = locateDialog(markdown).sections[section];
  return (part === undefined ? found?.head : found?.parts[part]) ?? null;
}
