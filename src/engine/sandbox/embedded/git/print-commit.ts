import { bodyOf, subjectOf } from "./commit.ts";
import type { Options } from "./options.ts";
import type { Repository } from "./repository.ts";
import { peel, shortOid } from "./revision.ts";
import { fatal } from "./stop.ts";
import type { Commit, Oid, Person } from "./store/model.ts";
import { type DateStyle, dateStyles, formatDate } from "./text/dates.ts";

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
  "no-show-signature",
];

export interface CommitFormat {
  /** How commits follow one another. "terminated": each ends with a line feed; "separated": there is one between two. */
  readonly kind: "oneline" | "long" | "terminated" | "separated";
  print(commit: Commit): Promise<string>;
}

export async function commitFormat(repo: Repository, options: Options): Promise<CommitFormat> {
  const style = dateStyle(options.value("date"));
  const now = repo.shell.now();
  const date = (person: Person, as: DateStyle = style): string => formatDate(person, as, now);
  const named =
    options.order.includes("oneline") && !options.has("pretty") && !options.has("format")
      ? "oneline"
      : (options.value("format") ?? options.value("pretty") ?? "medium");
  const short = options.has("abbrev-commit") || options.has("oneline");
  const oidOf = (oid: Oid): string => (short && !options.has("no-abbrev-commit") ? shortOid(oid) : oid);
  const names = await decorations(repo);
  const decorate = options.has("decorate") && options.value("decorate") !== "no" && !options.has("no-decorate");
  const decorated = (oid: Oid): string => (decorate && names.has(oid) ? ` (${names.get(oid)?.join(", ") ?? ""})` : "");
  const indented = (message: string): string =>
    message
      .replace(/\n+$/, "")
      .split("\n")
      .map((line) => `    ${line}`.replace(/^ {4}$/, "    "))
      .join("\n");

  const custom = /^(?:(t?format):)?([^]*)$/.exec(named);
  const template = custom?.[1] !== undefined || named.includes("%") ? (custom?.[2] ?? "") : null;
  if (template !== null) {
    const print = async (commit: Commit): Promise<string> => fill(template, commit, date, names);
    return {
      kind:
        custom?.[1] === "format" && options.value("format") === null ? "separated" : custom?.[1] === "format" ? "separated" : "terminated",
      print,
    };
  }
  if (named === "oneline")
    return { kind: "oneline", print: async (commit) => `${oidOf(commit.oid)}${decorated(commit.oid)} ${subjectOf(commit.message)}` };
  if (!["short", "medium", "full", "fuller", ""].includes(named)) fatal(`invalid --pretty format: ${named}`);
  return {
    kind: "long",
    async print(commit) {
      let text = `commit ${oidOf(commit.oid)}${decorated(commit.oid)}\n`;
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
      return message.trim() === "" ? `${text}\n` : `${text}\n${indented(message)}\n`;
    },
  };
}

function dateStyle(value: string | null): DateStyle {
  if (value === null) return "default";
  const name = value === "iso8601" ? "iso" : value === "iso8601-strict" ? "iso-strict" : value === "rfc2822" ? "rfc" : value;
  return dateStyles.find((style) => style === name) ?? fatal(`unknown date format ${value}`);
}

async function decorations(repo: Repository): Promise<Map<Oid, string[]>> {
  const names = new Map<Oid, string[]>();
  const add = (oid: Oid | null, name: string): void => {
    if (oid !== null) names.set(oid, [...(names.get(oid) ?? []), name]);
  };
  const head = await repo.refs.head();
  add(head.oid, head.branch === null ? "HEAD" : `HEAD -> ${head.branch}`);
  // As git has them: the kinds in this order, and the names of each from the last to the first.
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

function fill(
  template: string,
  commit: Commit,
  date: (person: Person, style?: DateStyle) => string,
  names: ReadonlyMap<Oid, readonly string[]>,
): string {
  const person = (who: Person, letter: string): string | null => {
    switch (letter) {
      case "n":
      case "N":
        return who.name;
      case "e":
      case "E":
        return who.email;
      case "l":
        return who.email.split("@")[0] ?? "";
      case "d":
        return date(who);
      case "D":
        return date(who, "rfc");
      case "r":
        return date(who, "relative");
      case "t":
        return date(who, "unix");
      case "i":
        return date(who, "iso");
      case "I":
        return date(who, "iso-strict");
      case "s":
        return date(who, "short");
      default:
        return null;
    }
  };
  const simple: Readonly<Record<string, () => string>> = {
    "%": () => "%",
    n: () => "\n",
    H: () => commit.oid,
    h: () => shortOid(commit.oid),
    T: () => commit.tree,
    t: () => shortOid(commit.tree),
    P: () => commit.parents.join(" "),
    p: () => commit.parents.map(shortOid).join(" "),
    s: () => subjectOf(commit.message),
    b: () => bodyOf(commit.message),
    B: () => commit.message,
    f: () =>
      subjectOf(commit.message)
        .replaceAll(/[^A-Za-z0-9_.]+/g, "-")
        .replaceAll(/^-|[-.]+$/g, ""),
    d: () => (names.has(commit.oid) ? ` (${names.get(commit.oid)?.join(", ") ?? ""})` : ""),
    D: () => names.get(commit.oid)?.join(", ") ?? "",
    m: () => ">",
    e: () => "",
    N: () => "",
  };
  return template.replaceAll(
    /%(?:x([0-9a-fA-F]{2})|C(?:\([^)]*\)|reset|red|green|blue|bold|yellow)|([ac])(.)|(.))/gs,
    (all: string, hex?: string, role?: string, letter?: string, name?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (role !== undefined && letter !== undefined) return person(role === "a" ? commit.author : commit.committer, letter) ?? all;
      if (name === undefined) return "";
      if (/[<>w+\- gG]/.test(name)) fatal(`Vibey's git has no %${name} in a format`);
      const make = Object.hasOwn(simple, name) ? simple[name] : undefined;
      return make ? make() : all;
    },
  );
}
