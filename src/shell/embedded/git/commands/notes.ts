import { cleanMessage } from "../commit.ts";
import { notesRef, readNotes, writeNotes } from "../notes.ts";
import { type Options, parseOptions } from "../options.ts";
import type { Repository } from "../repository.ts";
import { findObject } from "../revision.ts";
import type { GitCommand, Run } from "../run.ts";
import { absent, fatal, failed } from "../stop.ts";
import type { Oid } from "../store/model.ts";
import { compareBytes, decode, encode } from "../text/bytes.ts";

const verbs = ["list", "show", "add", "append", "remove", "copy", "edit", "merge", "prune", "get-ref"];

export const notes: GitCommand = async (run, args) => {
  const all = parseOptions("notes", args, [
    "ref=",
    "m message=",
    "F file=",
    "C=",
    "c=",
    "f force",
    "allow-empty",
    "ignore-missing",
    "stdin",
  ]);
  const [first = "list", ...rest] = all.words;
  const verb = verbs.includes(first) ? first : fatal(`unknown subcommand: \`${first}'`);
  const repo = await run.repository();
  const given = all.value("ref");
  const ref = given === null ? await notesRef(repo) : given.startsWith("refs/") ? given : `refs/notes/${given}`;
  const kept = new Map(await readNotes(repo, ref));
  const object = async (name = "HEAD"): Promise<Oid> =>
    (await findObject(repo, name)) ?? fatal(`failed to resolve '${name}' as a valid ref.`);
  switch (verb) {
    case "get-ref":
      run.out(`${ref}\n`);
      return 0;
    case "list": {
      if (rest[0] !== undefined) {
        const oid = await object(rest[0]);
        run.out(`${kept.get(oid) ?? failed(`no note found for object ${oid}.`)}\n`);
        return 0;
      }
      for (const [of, oid] of [...kept].toSorted(([a], [b]) => compareBytes(a, b))) run.out(`${oid} ${of}\n`);
      return 0;
    }
    case "show": {
      const oid = await object(rest[0]);
      run.outBytes(await repo.objects.blob(kept.get(oid) ?? failed(`no note found for object ${oid}.`)));
      return 0;
    }
    case "add":
    case "append": {
      const oid = await object(rest[0]);
      const old = kept.get(oid);
      if (verb === "add" && old !== undefined && !all.has("force"))
        failed(`Cannot add notes. Found existing notes for object ${oid}. Use '-f' to overwrite existing notes`);
      if (verb === "add" && old !== undefined) run.err(`Overwriting existing notes for object ${oid}\n`);
      const text = await messageOf(run, repo, all);
      const before = verb === "append" && old !== undefined ? `${decode(await repo.objects.blob(old))}\n` : "";
      kept.set(oid, await repo.objects.write("blob", encode(before + text)));
      await writeNotes(repo, ref, kept, `Notes added by 'git notes ${verb}'`);
      return 0;
    }
    case "remove": {
      const names = rest.length === 0 ? ["HEAD"] : rest;
      let exitCode = 0;
      for (const name of names) {
        const oid = await object(name);
        if (kept.delete(oid)) run.err(`Removing note for object ${name}\n`);
        else {
          run.err(`Object ${name} has no note\n`);
          if (!all.has("ignore-missing")) exitCode = 1;
        }
      }
      if (exitCode === 0) await writeNotes(repo, ref, kept, "Notes removed by 'git notes remove'");
      return exitCode;
    }
    case "copy": {
      const [from, to] = [await object(rest[0]), await object(rest[1])];
      const oid = kept.get(from) ?? failed(`missing notes on source object ${from}. Cannot copy.`);
      if (kept.has(to) && !all.has("force"))
        failed(`Cannot copy notes. Found existing notes for object ${to}. Use '-f' to overwrite existing notes`);
      kept.set(to, oid);
      await writeNotes(repo, ref, kept, "Notes added by 'git notes copy'");
      return 0;
    }
    default:
      return absent(`notes ${verb}${verb === "edit" ? "; use git notes add -f -m" : ""}`);
  }
};

async function messageOf(run: Run, repo: Repository, options: Options): Promise<string> {
  const parts = [...options.values("message")];
  for (const name of options.values("file")) {
    const bytes = name === "-" ? encode(run.shell.stdin()) : await repo.files.read(repo.files.resolve(run.shell.cwd, name));
    parts.push(decode(bytes ?? fatal(`could not open or read '${name}': No such file or directory`)));
  }
  if (options.has("C") || options.has("c")) absent("notes -C; use -F - and git cat-file");
  if (parts.length === 0) return failed("there is no editor in this shell\nPlease supply the note using either -m or -F option.");
  return cleanMessage(parts.join("\n\n"));
}
