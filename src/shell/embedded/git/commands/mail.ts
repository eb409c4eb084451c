import { cleanMessage, bodyOf, moveHead, subjectOf, indexTree } from "../commit.ts";
import { countOf, parseOptions } from "../options.ts";
import { patch, stat, summary } from "../print-changes.ts";
import type { Repository } from "../repository.ts";
import { mustFindCommit } from "../revision.ts";
import { reachable } from "../reachable.ts";
import type { GitCommand, Run } from "../run.ts";
import { absent, fatal, Stop } from "../stop.ts";
import type { Commit, Oid } from "../store/model.ts";
import { decode, encode } from "../text/bytes.ts";
import { formatDate, parseDate } from "../text/dates.ts";
import { changesBetween, withRenames } from "../changes.ts";
import { apply } from "./apply.ts";

/** `git format-patch`: writes a mail for each commit. */
export const formatPatch: GitCommand = async (run, args) => {
  const options = parseOptions("format-patch", args, [
    "o output-directory=",
    "stdout",
    "number",
    "n numbered",
    "N no-numbered",
    "root",
    "start-number=",
    "subject-prefix=",
    "k keep-subject",
    "s signoff",
    "no-stat",
    "p",
    "q quiet",
    "cover-letter",
    "thread=?",
    "in-reply-to=",
    "base=",
    "M=?",
    "v reroll-count=",
    "zero-commit",
    "no-signature",
  ]);
  for (const name of ["cover-letter", "thread", "in-reply-to", "base", "reroll-count", "signoff", "zero-commit"])
    if (options.has(name)) absent(`format-patch --${name}`);
  const repo = await run.repository();
  const commits = await chosen(repo, options.words, countOf(options, "number"), options.has("root"));
  const first = countOf(options, "start-number") ?? 1;
  const numbered = (commits.length > 1 || options.has("numbered")) && !options.has("no-numbered");
  for (const [i, commit] of commits.entries()) {
    const label = options.value("subject-prefix") ?? "PATCH";
    const count = numbered
      ? ` ${String(i + first).padStart(String(commits.length + first - 1).length, "0")}/${commits.length + first - 1}`
      : "";
    const subject = options.has("keep-subject") ? subjectOf(commit.message) : `[${label}${count}] ${subjectOf(commit.message)}`;
    const text = await mail(run, repo, commit, subject, !options.has("no-stat") && !options.has("p"), !options.has("no-signature"));
    if (options.has("stdout")) {
      run.out((i > 0 ? "\n" : "") + text);
      continue;
    }
    const folder = options.value("output-directory");
    const name = `${folder === null ? "" : `${folder.replace(/\/$/, "")}/`}${String(i + first).padStart(4, "0")}-${fileName(subjectOf(commit.message))}.patch`;
    await repo.files.write(repo.files.resolve(run.shell.cwd, name), encode(text));
    if (!options.has("quiet")) run.out(`${name}\n`);
  }
  return 0;
};

const fileName = (subject: string): string =>
  subject
    .replaceAll(/[^A-Za-z0-9._]+/g, "-")
    .replaceAll(/\.{2,}/g, ".")
    .replaceAll(/^-+|[-.]+$/g, "")
    .slice(0, 52);

/** Oldest first, without merges. */
async function chosen(repo: Repository, words: readonly string[], most: number | null, root: boolean): Promise<Commit[]> {
  const [given] = words;
  const range = /^(.*?)\.\.(.*)$/.exec(given ?? "");
  const until = range ? range[2] || "HEAD" : most !== null || root ? (given ?? "HEAD") : "HEAD";
  const since = range
    ? range[1] || "HEAD"
    : most !== null || root
      ? null
      : (given ?? fatal("Vibey's git needs to know since when: git format-patch <since>, or -1"));
  const hidden = since === null ? new Set<Oid>() : await reachable(repo, [await mustFindCommit(repo, since)]);
  const line: Commit[] = [];
  const seen = new Set<Oid>();
  const open = [await mustFindCommit(repo, until)];
  for (let oid = open.shift(); oid !== undefined; oid = open.shift()) {
    if (hidden.has(oid) || seen.has(oid)) continue;
    seen.add(oid);
    const commit = await repo.objects.commit(oid);
    open.push(...commit.parents);
    if (commit.parents.length < 2) line.push(commit);
  }
  return line.slice(0, most ?? line.length).toReversed();
}

async function mail(run: Run, repo: Repository, commit: Commit, subject: string, withStat: boolean, signed: boolean): Promise<string> {
  const changes = await withRenames(
    repo,
    changesBetween(await repo.snapshot(commit.parents[0] ?? null), await repo.snapshot(commit.oid), () => true),
  );
  const body = bodyOf(commit.message);
  const encoded = (text: string): string =>
    /^[\x20-\x7e]*$/.test(text)
      ? text
      : `=?UTF-8?q?${Array.from(encode(text), (byte) => (/[A-Za-z0-9!*+/-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : byte === 32 ? "=20" : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`)).join("")}?=`;
  const prefix = /^(?:\[[^\]]*\] )?/.exec(subject)?.[0] ?? "";
  const ascii = /^[\x20-\x7e\n]*$/.test(body);
  let text = `From ${commit.oid} Mon Sep 17 00:00:00 2001\nFrom: ${encoded(commit.author.name)} <${commit.author.email}>\nDate: ${formatDate(commit.author, "rfc", run.shell.now())}\nSubject: ${folded(`${prefix}${encoded(subject.slice(prefix.length))}`)}\n`;
  if (!ascii) text += "MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n";
  text += `\n${body === "" ? "" : `${body.trimEnd()}\n`}---\n`;
  if (withStat) text += `${await stat(repo, changes)}${await summary(repo, changes)}\n`;
  text += await patch(repo, changes, 3);
  return signed ? `${text}-- \n2.39.5\n\n` : text;
}

/** Folds a header at 76 columns without splitting words. */
function folded(subject: string): string {
  const lines: string[] = [];
  let line = "Subject:";
  for (const word of subject.split(" ")) {
    if (line.length + 1 + word.length > 78 && line !== "Subject:") {
      lines.push(line);
      line = "";
    }
    line += ` ${word}`;
  }
  return [...lines, line].join("\n").slice("Subject: ".length);
}

interface Mail {
  readonly name: string;
  readonly email: string;
  readonly date: string;
  readonly message: string;
  readonly diff: string;
}

/** `git am`: commits the patches of mails. Stops at a mail that does not apply; earlier commits stay. */
export const am: GitCommand = async (run, args) => {
  const options = parseOptions("am", args, [
    "3 3way",
    "s signoff",
    "k keep",
    "q quiet",
    "abort",
    "continue",
    "skip",
    "keep-cr",
    "reject",
    "i interactive",
    "show-current-patch",
    "quit",
  ]);
  for (const name of ["3way", "signoff", "keep", "reject", "interactive", "show-current-patch", "continue", "skip", "abort", "quit"])
    if (options.has(name)) absent(`am --${name}; use git apply and git commit`);
  const repo = await run.repository();
  const words = [...options.words, ...(options.paths ?? [])];
  const texts = words.length === 0 ? [run.shell.stdin()] : [];
  for (const word of words) {
    const bytes = await repo.files.read(repo.files.resolve(run.shell.cwd, word));
    texts.push(decode(bytes ?? fatal(`could not open '${word}' for reading: No such file or directory`)));
  }
  const staged = changesBetween(await repo.snapshot(await repo.refs.resolve("HEAD")), (await repo.readIndex()).files, () => true);
  if (staged.length > 0) fatal(`Dirty index: cannot apply patches (dirty: ${staged.map(({ path }) => path).join(" ")})`);
  for (const one of texts.flatMap(splitMails)) {
    const read = readMail(one);
    if (!options.has("quiet")) run.out(`Applying: ${subjectOf(read.message)}\n`);
    const inner: Run = { ...run, shell: { ...run.shell, stdin: () => read.diff } };
    const code = await apply(inner, ["--index", "-"]).catch((error: unknown) => {
      if (!(error instanceof Stop)) throw error;
      run.err(error.message);
      return 1;
    });
    if (code !== 0) {
      run.err(
        `Patch failed at 0001 ${subjectOf(read.message)}\nhint: nothing of this patch was applied; git apply --reject applies the parts that fit\n`,
      );
      return 128;
    }
    const head = await repo.refs.head();
    const committer = await repo.committer();
    const when = parseDate(read.date, run.shell.now()) ?? committer;
    const tree = await indexTree(repo, await repo.readIndex());
    const author = { name: read.name, email: read.email, time: when.time, zone: when.zone };
    const oid = await repo.writeCommit({ tree, parents: head.oid === null ? [] : [head.oid], author, committer, message: read.message });
    await moveHead(repo, oid, `am: ${subjectOf(read.message)}`);
  }
  return 0;
};

function splitMails(text: string): string[] {
  const parts = text.split(/^(?=From [0-9a-f]{40} )/m).filter((part) => part.trim() !== "");
  return parts.length === 0 ? fatal("Patch format detection failed.") : parts;
}

function readMail(text: string): Mail {
  const end = text.indexOf("\n\n");
  const head = text.slice(0, end).replaceAll(/\n[ \t]+/g, " ");
  const field = (name: string): string => decodedWords(new RegExp(`^${name}: (.*)$`, "m").exec(head)?.[1] ?? "");
  const from = /^"?(.*?)"? <(.*)>$/.exec(field("From")) ?? fatal("Patch format detection failed.");
  const rest = text.slice(end + 2);
  const cut = /^(?:---$|diff --git )/m.exec(rest)?.index ?? rest.length;
  const subject = field("Subject").replace(/^(?:\[[^\]]*\]\s*|[Rr]e:\s*)+/, "");
  return {
    name: from[1] ?? "",
    email: from[2] ?? "",
    date: field("Date"),
    message: cleanMessage(`${subject}\n\n${rest.slice(0, cut)}`),
    diff: rest.slice(cut),
  };
}

function decodedWords(text: string): string {
  return text.replaceAll(/\?=\s+=\?/g, "?==?").replaceAll(/=\?utf-8\?q\?([^?]*)\?=/gi, (_, word: string) => {
    const bytes: number[] = [];
    for (const [, hex, letter] of word.matchAll(/=([0-9A-F]{2})|([^=])/gi))
      bytes.push(hex === undefined ? (letter === "_" ? 32 : (letter ?? " ").charCodeAt(0)) : Number.parseInt(hex, 16));
    return decode(new Uint8Array(bytes));
  });
}
