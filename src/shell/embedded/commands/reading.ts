import { type Answer, type Context, original, passed } from "./answer.ts";
import { command } from "./command.ts";
import { statOf } from "./files.ts";

/** Messages for folders; just-bash's messages say that they don't exist. */
const ofFolders = {
  cat: (folder: string) => `cat: ${folder}: Is a directory`,
  tail: (folder: string) => `tail: error reading '${folder}': Is a directory`,
  tac: (folder: string) => `tac: ${folder}: read error: Is a directory`,
  base64: () => "base64: read error: Is a directory",
};

/** Runs just-bash's own command of that name, which reads files. */
export async function readingFiles(name: keyof typeof ofFolders, args: readonly string[], context: Context): Promise<Answer> {
  const done = passed(await original(context, args));
  let stderr = done.stderr ?? "";
  for (const arg of new Set(args)) {
    const absent = `${name}: ${arg}: No such file or directory\n`;
    if (stderr.includes(absent) && (await statOf(context, arg))?.isDirectory)
      stderr = stderr.replaceAll(absent, `${ofFolders[name](arg)}\n`);
  }
  return { ...done, stderr };
}

export const reading = (["cat", "tac", "base64"] as const).map((name) =>
  command(name, (args, context) => readingFiles(name, args, context)),
);
