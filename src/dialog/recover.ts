import { isBlank, textRange, wellFormed } from "./clean.ts";
import { canBecomeOpener, isOpener } from "./escape.ts";
import type { Dialog } from "./model.ts";
import { readDialog } from "./parse.ts";

/**
 * Repairs a dialog file that was cut anywhere: it ends with one LF and no block is open, so appended text lands where it was meant to. A torn last
 * line is removed if it is inside a block, or starts with an opener or part of one (half of `Authorized: run_command` could be another tool). Any
 * other torn text stays. A complete file is returned unchanged.
 */
export function recover(file: string): string {
  return recoverDialog(file).file;
}

/** Like `recover`, and also returns the parsed dialog. */
export function recoverDialog(file: string): { readonly file: string; readonly dialog: Dialog } {
  const whole = file.slice(0, file.lastIndexOf("\n") + 1);
  const { dialog, unclosed } = readDialog(whole);
  const recovered = recovery(file, whole, unclosed());
  return { file: recovered, dialog: recovered === whole ? dialog : readDialog(recovered).dialog };
}

/**
 * A file from outside isn't torn: its last line counts even if an editor ended it without LF. Adds the LF if the line would be removed as torn. Inside a
 * block nothing is added, because the file ends too early in any case.
 */
export function withLastLine(file: string): string {
  const whole = file.slice(0, file.lastIndexOf("\n") + 1);
  const last = file.slice(whole.length);
  if (!isOpener(last, 0) && !canBecomeOpener(last)) return file;
  return isBlank(last) || readDialog(whole).unclosed() ? file : `${file}\n`;
}

function recovery(file: string, whole: string, unclosed: boolean): string {
  const torn = file.slice(whole.length);
  const keeps = !unclosed && !isBlank(torn) && !isOpener(torn, 0) && !canBecomeOpener(torn);
  const kept = withoutBlankEnd(keeps ? whole + wellFormed(torn) : whole);
  return unclosed ? `${kept}\n---\n` : kept;
}

/** One LF at the end, and no blank line before it. */
function withoutBlankEnd(file: string): string {
  const [from, to] = textRange(file, 0, file.length);
  if (from >= to) return "";
  return to === file.length - 1 && file.endsWith("\n") ? file : `${file.slice(0, to)}\n`;
}
