import type { Repository } from "./repository.ts";
import type { Run } from "./run.ts";
import { Stop } from "./stop.ts";
import { decode, encode } from "./text/bytes.ts";

/**
 * The program that edits a rebase's list or messages; null if none is set. Config files are ignored: as with a hook, code from one dialog would run
 * in another dialog's `git commit`.
 */
function editorFor({ shell, overrides }: Run, what: "list" | "message"): string | null {
  const given = (key: string): string | null => overrides.findLast((entry) => entry.key === key)?.value ?? null;
  const own = what === "list" ? (shell.env("GIT_SEQUENCE_EDITOR") ?? given("sequence.editor")) : null;
  return own ?? shell.env("GIT_EDITOR") ?? given("core.editor") ?? shell.env("VISUAL") ?? shell.env("EDITOR") ?? null;
}

/**
 * Writes the text to a file, lets the editor change it, and returns the result; the file stays. Without an editor, it fails as git does without a
 * terminal.
 */
export async function edited(run: Run, repo: Repository, what: "list" | "message", path: string, text: string): Promise<string> {
  const editor = editorFor(run, what);
  await repo.files.write(path, encode(text));
  if (editor === null || editor === "") {
    const name = what === "list" ? "GIT_SEQUENCE_EDITOR" : "GIT_EDITOR";
    const message = what === "message" ? "Please supply the message using either -m or -F option.\n" : "";
    throw new Stop(
      1,
      `error: there is no editor in this shell; set ${name} to a command that changes the file, such as "sed -i …"\n${message}`,
    );
  }
  if (editor === ":") return text;
  if (!run.shell.execute) throw new Stop(1, `error: no editor can be run from here\n`);
  const done = await run.shell.execute(["sh", "-c", `${editor} "$@"`, editor, path]);
  run.out(done.stdout);
  run.err(done.stderr);
  if (done.exitCode !== 0) throw new Stop(1, `error: There was a problem with the editor '${editor}'.\n`);
  return decode((await repo.files.read(path)) ?? new Uint8Array());
}

export function hasEditor(run: Run): boolean {
  return editorFor(run, "message") !== null;
}
