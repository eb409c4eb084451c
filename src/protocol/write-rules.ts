import { canonical, type Path, parsePath } from "../fs/path.ts";
import { nameOf } from "../fs/vibey-name.ts";
import { guardDoc } from "../dialog/doc-authority.ts";

/**
 * Where agents may write: tools and commands alike, however a path is spelled.
 *
 * - Only Vibey writes dialogs.
 * - `vibey/` holds only files whose names follow one rule.
 * - Only the user writes the files of the user's agents, and only an agent writes its own memory.
 * - Only the user writes the authority lines of doc-main.md: nothing an agent does changes their ordered list.
 * - The rest of the project is free.
 */

const mainDoc = "vibey/doc-main.md";

/** The project's folder, as tools and commands name it. */
const root = "/project";

export type AgentPath = { readonly ok: true; readonly path: Path } | { readonly ok: false; readonly why: string };

/** The file that an agent means: relative to the project's folder, or absolute under `/project`. Resolves "." and "..". */
export function agentPath(text: string): AgentPath {
  const refuse = (why: string): AgentPath => ({ ok: false, why: `${JSON.stringify(text)} ${why}` });
  if (text === "") return { ok: false, why: "it is empty" };
  if (text.includes("\\")) return refuse("contains a backslash: folders are separated by /");
  let relative = text;
  if (text.startsWith("/")) {
    if (text !== root && !text.startsWith(`${root}/`))
      return refuse(`is outside the project: use a path relative to it, or one under ${root}/`);
    relative = text.slice(root.length);
  }
  const segments: string[] = [];
  for (const segment of relative.split("/")) {
    if (segment === "..") {
      if (segments.pop() === undefined) return refuse("is outside the project");
    } else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  if (segments.length === 0 || /(?:^|\/)\.{0,2}$/.test(text)) return refuse("names a folder, not a file");
  const parsed = parsePath(segments.join("/"));
  return parsed.ok ? parsed : refuse(`can't be used: ${parsed.failure.why}`);
}

export function isDialogPath(path: Path): boolean {
  return canonical(path).startsWith("vibey/dialog-");
}

export function isMainDoc(path: Path): boolean {
  return canonical(path) === mainDoc;
}

/** Whether the path is, or could be taken for, a file of the user's own agents: `vibey/agent-<slug>.md`. */
export const isAgentPath = (path: Path): boolean => canonical(path).startsWith("vibey/agent-");

/** Whether the path is the memory of an agent that a file defines: `vibey/memory-<slug>.md`. */
export const isMemoryPath = (path: Path): boolean => canonical(path).startsWith("vibey/memory-");

/** Why agents can't write this path if it is a dialog. Null if it is not. */
export function dialogRefusal(path: Path): string | null {
  return isDialogPath(path) ? `${path} is read-only: only Vibey writes dialogs` : null;
}

/** Why agents can't write, edit or remove the file at this path. Null if they can. doc-main.md has its own guard, `guardMainDoc`. */
export function writeRefusal(path: Path): string | null {
  const form = canonical(path);
  if (form === "") return `${path} names no file`;
  if (form === "vibey") return `${path} is the folder of docs and dialogs, and can't be a file`;
  // A name such as ".. " leads out of the folder on some systems, and not here.
  if (!form.startsWith("vibey/") && !path.startsWith("vibey/")) return null;
  const dialog = dialogRefusal(path);
  if (dialog !== null) return dialog;
  // The file decides what its agent may read without asking.
  if (isAgentPath(path))
    return `${path} is read-only: only the user writes the files of their agents. Write it to agents/ instead, from where the user can adopt it`;
  // The agent is given this file in every dialog.
  if (isMemoryPath(path)) return `${path} is the memory of an agent: only that agent writes it, with write_file or edit_file`;
  if (!path.startsWith("vibey/")) return `${path} is the same file as vibey/${path.slice(path.indexOf("/") + 1)}: use that`;
  if (form === mainDoc && path !== mainDoc) return `${path} is the same file as ${mainDoc}: use that`;
  if (nameOf(path) === null)
    return `${path} can't be a file in vibey/: a name there has only letters, digits, "_", "-" and ".", ends in .md and has no ".."`;
  return null;
}

export type MainDocGuard =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** For the agent: which lines, and who may change them. */
      readonly error: string;
      /** For the user: what the agent tried to do. */
      readonly notice: string;
      /** The new text with the authority of the old one. */
      readonly repaired: string;
    };

/** Whether an agent may change doc-main.md to `after`. Null: the file doesn't exist. */
export function guardMainDoc(before: string | null, after: string | null): MainDocGuard {
  const guard = guardDoc(before ?? "", after ?? "");
  if (guard.ok) return guard;
  const { wanted, lost, repaired } = guard;
  const what = [...(wanted.length > 0 ? [`add ${quoted(wanted)}`] : []), ...(lost.length > 0 ? [`remove ${quoted(lost)}`] : [])].join(
    " and to ",
  );
  return {
    ok: false,
    error: `${mainDoc}: only the user can change its Authorized, Revoked, and Limit lines, in the editor. This would ${what.replace(" and to ", " and ")}`,
    notice: `Blocked: an agent tried to ${what} in doc-main.md. Only you can do that, in the editor.`,
    repaired,
  };
}

/** The first lines, shortened for reading. */
function quoted(lines: readonly string[]): string {
  const most = 5;
  const shown = lines.slice(0, most).map((line) => JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line));
  return shown.join(", ") + (lines.length > most ? ` and ${lines.length - most} more` : "");
}
