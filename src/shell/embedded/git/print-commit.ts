import { subjectOf } from "./commit.ts";
import { fillTemplate, type ReflogEntry } from "./commit-fields.ts";
import type { Options } from "./options.ts";
import type { Repository } from "./repository.ts";
import { notesRef, readNotes } from "./notes.ts";
import { peel, shortOid } from "./revision.ts";
import { fatal } from "./stop.ts";
import type { Commit, Oid, Person } from "./store/model.ts";
import { decode } from "./text/bytes.ts";
import { type DateStyle, formatDate, readDateStyle } from "./text/dates.ts";

export const formatOptions = [
  "oneline",
  "pretty=?",
  "format=",
  "abbrev-commit",
  "no-abbrev-commit",
  "abbrev=?",
  "date=",
  "decorate=?",
  "no-decorate",
  "no-notes",
  "notes=?",
  "no-show-signature",
  "color=?",
  "no-color",
];

export interface CommitFormat {
  /**
   * How commits are separated. "terminated": each ends with a line feed; "separated": a line feed stands between two; "nothing": only changes are
   * shown.
   */
  readonly kind: "oneline" | "long" | "terminated" | "separated" | "nothing";
  print(commit: Commit, entry?: ReflogEntry): Promise<string>;
}

export async function commitFormat(repo: Repository, options: Options): Promise<CommitFormat> {
  const style = readDateStyle(options.value("date") ?? (await repo.setting("log.date")));
  const now = repo.shell.now();
  const date = (person: Person, as: DateStyle = style): string => formatDate(person, as, now);
  const named = options.order.includes("oneline") && !options.has("pretty") && !options.has("format") ? "oneline" : formatName(options);
  const digits = Number(options.value("abbrev") || 7);
  const abbreviated = (oid: Oid): string => oid.slice(0, Math.min(40, Math.max(4, digits)));
  const short = options.has("abbrev-commit") || options.has("oneline");
  const oidOf = (oid: Oid): string => (short && !options.has("no-abbrev-commit") ? abbreviated(oid) : oid);
  const names = await decorations(repo);
  if ((options.value("notes") ?? "") !== "") fatal(`Vibey's git has no --notes=${options.value("notes") ?? ""}: set core.notesRef`);
  const asked = options.order.findLast((name) => name === "notes" || name === "no-notes");
  const showsNotes = asked === undefined ? !["pretty", "format", "oneline"].some((name) => options.has(name)) : asked === "notes";
  const noted = asked === "no-notes" ? new Map<Oid, Oid>() : await readNotes(repo, await notesRef(repo));
  const noteOf = async (oid: Oid): Promise<string> => {
    const note = noted.get(oid);
    return note === undefined ? "" : decode(await repo.objects.blob(note));
  };
  const decorate = options.has("decorate") && options.value("decorate") !== "no" && !options.has("no-decorate");
  const decorated = (oid: Oid): string => (decorate && names.has(oid) ? ` (${names.get(oid)?.join(", ") ?? ""})` : "");
  const indented = (message: string): string =>
    message
      .replace(/\n+$/, "")
      .split("\n")
      .map((line) => `    ${line}`.replace(/^ {4}$/, "    "))
      .join("\n");

  const custom = /^(?:(t?format):)?([^]*)$/.exec(named === "reference" ? reference : named);
  const template = custom?.[1] !== undefined || named === "" || named === "reference" || named.includes("%") ? (custom?.[2] ?? "") : null;
  if (template === "" && custom?.[1] !== "format") return { kind: "nothing", print: async () => "" };
  if (template !== null) {
    const hasColor = options.has("color") && /^(?:|always)$/.test(options.value("color") ?? "") && !options.has("no-color");
    return {
      kind: custom?.[1] === "format" ? "separated" : "terminated",
      print: async (commit, entry) => {
        const noteText = await noteOf(commit.oid);
        return fillTemplate(template, {
          commit,
          names: names.get(commit.oid) ?? [],
          note: asked === "no-notes" ? null : noteText,
          short: abbreviated,
          date: (person, as) => date(person, named === "reference" ? "short" : as),
          hasColor,
          entry: entry ?? null,
        });
      },
    };
  }
  if (named === "oneline")
    return {
      kind: "oneline",
      print: async (commit, entry) => {
        const note = showsNotes && !entry ? await noteOf(commit.oid) : "";
        const below = note === "" ? "" : `\nNotes:\n${indented(note)}\n`;
        return `${oidOf(commit.oid)}${decorated(commit.oid)} ${entry ? `${entry.short}: ${entry.why}` : subjectOf(commit.message)}${below}`;
      },
    };
  if (["email", "mboxrd"].includes(named)) fatal(`Vibey's git has no --pretty=${named}`);
  if (!["short", "medium", "full", "fuller", "raw"].includes(named)) fatal(`invalid --pretty format: ${named}`);
  return {
    kind: "long",
    async print(commit, entry) {
      let text = `commit ${oidOf(commit.oid)}${decorated(commit.oid)}\n`;
      if (entry) text += `Reflog: ${entry.short} (${entry.who.name} <${entry.who.email}>)\nReflog message: ${entry.why}\n`;
      const note = showsNotes ? await noteOf(commit.oid) : "";
      const below = note === "" ? "" : `\nNotes:\n${indented(note)}\n`;
      if (named === "raw") return `${text}${rawHeader(commit)}\n${indented(commit.message)}\n${below}`;
      if (commit.parents.length > 1) text += `Merge: ${commit.parents.map(shortOid).join(" ")}\n`;
      const who = (person: Person): string => `${person.name} <${person.email}>\n`;
      if (named === "fuller") {
        text += `Author:     ${who(commit.author)}AuthorDate: ${date(commit.author)}\nCommit:     ${who(commit.committer)}CommitDate: ${date(commit.committer)}\n`;
      } else {
        text += `Author: ${who(commit.author)}`;
        if (named === "full") text += `Commit: ${who(commit.committer)}`;
        else if (named !== "short") text += `Date:   ${date(commit.author)}\n`;
      }
      const message = named === "short" ? subjectOf(commit.message) : commit.message;
      return message.trim() === "" ? `${text}\n${below}` : `${text}\n${indented(message)}\n${below}`;
    },
  };
}

/** The last format given. An empty format counts; `--pretty` alone does not. */
function formatName(options: Options): string {
  const last = options.order.filter((name) => name === "format" || name === "pretty").at(-1);
  const value = last === undefined ? null : options.value(last);
  return value === null || (value === "" && last === "pretty") ? "medium" : value;
}

const reference = "%h (%s, %ad)";

function rawHeader({ tree, parents, author, committer }: Commit): string {
  const who = ({ name, email, time, zone }: Person): string => `${name} <${email}> ${time} ${zone}`;
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${who(author)}`, `committer ${who(committer)}`];
  return lines.map((line) => `${line}\n`).join("");
}

export async function decorations(repo: Repository): Promise<Map<Oid, string[]>> {
  const names = new Map<Oid, string[]>();
  const add = (oid: Oid | null, name: string): void => {
    if (oid !== null) names.set(oid, [...(names.get(oid) ?? []), name]);
  };
  const head = await repo.refs.head();
  add(head.oid, head.branch === null ? "HEAD" : `HEAD -> ${head.branch}`);
  // In git's order: the kinds as they come here, and the names of each kind from last to first.
  for (const tag of (await repo.refs.tags()).toReversed()) {
    const oid = await repo.refs.resolve(`refs/tags/${tag}`);
    if (oid !== null) add(await peel(repo, oid), `tag: ${tag}`);
  }
  add(await repo.refs.resolve("refs/stash"), "refs/stash");
  for (const branch of (await repo.refs.remoteBranches()).toReversed()) add(await repo.refs.resolve(`refs/remotes/${branch}`), branch);
  for (const branch of (await repo.refs.branches()).toReversed())
    if (branch !== head.branch) add(await repo.refs.resolve(`refs/heads/${branch}`), branch);
  return names;
}
