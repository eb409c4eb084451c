import type { EditOp } from "../../src/dialog/edit.ts";
import { escapeLine } from "../../src/dialog/escape.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import type { Call, Dialog, Meta, Part } from "../../src/dialog/model.ts";

/**
 * A dialog in a few lines, one fact per line:
 *
 *     format 1
 *     Provider=claude Model=m
 *     user Time=t
 *       text "hello"
 *       meta Usage=1
 *       call run_command [x] {"command":"ls"} approved started=t result={"ok":true}
 */
export function outline(dialog: Dialog): string {
  const lines = [`format ${dialog.format}`];
  if (dialog.head.length > 0) lines.push(metas(dialog.head));
  lines.push(...dialog.parts.map((part) => `  ${partOutline(part)}`));
  for (const { role, head, parts } of dialog.sections) {
    lines.push([role, metas(head)].filter(Boolean).join(" "));
    lines.push(...parts.map((part) => `  ${partOutline(part)}`));
  }
  return lines.join("\n");
}

/** The outline of a body in an assistant section of a Format 1 file, without the lines that are always the same. */
export function bodyOutline(body: string): string {
  const lines = outline(parseDialog(`# Dialog\n> Format: 1\n\n## Assistant\n${body}`)).split("\n");
  return lines.slice(1).join("\n");
}

function partOutline(part: Part): string {
  if (part.kind === "text") return `text ${JSON.stringify(part.text)}`;
  return part.kind === "meta" ? `meta ${metas(part.lines)}` : callOutline(part.call);
}

function callOutline({ id, name, input, decision, started, result }: Call): string {
  const words = [`call ${name} [${id}] ${JSON.stringify(input)}`, decision ?? "pending"];
  if (started !== null) words.push(`started=${started}`);
  if (result !== undefined) words.push(`result=${JSON.stringify(result)}`);
  return words.join(" ");
}

function metas(lines: readonly Meta[]): string {
  return lines.map(({ key, value }) => `${key}=${value}`).join(", ");
}

/** The file that the operations produce: pieces, some of them open under a label. */
export class PieceFile {
  readonly pieces: { text: string; open: string | undefined }[] = [];

  apply(ops: readonly EditOp[]): void {
    for (const op of ops) {
      if (op.op === "append") {
        if (op.open !== undefined && this.pieces.some(({ open }) => open === op.open)) throw new Error(`Open already: ${op.open}`);
        this.pieces.push({ text: op.text, open: op.open });
      } else {
        const piece = this.pieces.find(({ open }) => open === op.label);
        if (piece === undefined) throw new Error(`Not open: ${op.label}`);
        piece.text = op.text;
        if (op.close === true) piece.open = undefined;
      }
    }
  }

  get text(): string {
    return this.pieces.map(({ text }) => text).join("");
  }
}

/** Every line of a file that could read as structural. It doesn't use the parser. */
export function openerLines(file: string): string[] {
  return file.split("\n").filter((line) => escapeLine(line) !== line && !line.startsWith("\\"));
}
