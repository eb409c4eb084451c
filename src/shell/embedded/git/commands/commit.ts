import {
  announce,
  cleanMessage,
  endMerge,
  endsInTrailers,
  indexTree,
  moveHead,
  readMessageFile,
  subjectOf,
  writeMessageFile,
} from "../commit.ts";
import { edited, hasEditor } from "../editor.ts";
import { type Options, parseOptions } from "../options.ts";
import { findCommit, unknownRevision } from "../revision.ts";
import type { GitCommand, Run } from "../run.ts";
import type { Repository } from "../repository.ts";
import { readStatus } from "../status.ts";
import { absent, failed, fatal, Stop } from "../stop.ts";
import type { Index } from "../store/index-file.ts";
import type { Commit, Oid, Person } from "../store/model.ts";
import { decode } from "../text/bytes.ts";
import { formatDate, parseDate } from "../text/dates.ts";
import { addPatch, stageTracked } from "./add.ts";
import { dropFinished } from "../sequence.ts";
import { longText } from "./status.ts";

const optionSpec = [
  "m message=",
  "F file=",
  "a all",
  "amend",
  "no-edit",
  "allow-empty",
  "allow-empty-message",
  "q quiet",
  "v verbose",
  "n no-verify",
  "s signoff",
  "author=",
  "date=",
  "C reuse-message=",
  "o only",
  "i include",
  "dry-run",
  "reset-author",
  "no-gpg-sign",
  "cleanup=",
  "edit",
  "p patch",
  "fixup=",
  "squash=",
  "trailer=",
];

export const commit: GitCommand = async (run, args) => {
  const options = parseOptions("commit", args, optionSpec);
  for (const name of ["include", "edit"]) if (options.has(name)) absent(`commit --${name}`);
  const repo = await run.repository();
  if (options.has("patch")) {
    await addPatch(run, repo, [...options.words, ...(options.paths ?? [])]);
    return commitIndex(run, repo, options, []);
  }
  return commitIndex(run, repo, options, [...options.words, ...(options.paths ?? [])]);
};

async function commitIndex(run: Run, repo: Repository, options: Options, paths: readonly string[]): Promise<number> {
  const index = await repo.readIndex();
  if (options.has("all") && paths.length > 0) fatal(`paths '${paths[0] ?? ""} ...' with -a does not make sense`);
  const head = await repo.refs.head();
  const merging = await repo.refs.resolve("MERGE_HEAD");
  const amend = options.has("amend");
  const picking = await repo.refs.resolve("CHERRY_PICK_HEAD");
  const reverting = await repo.refs.resolve("REVERT_HEAD");
  if (amend && merging !== null) fatal("You are in the middle of a merge -- cannot amend.");
  if (amend && picking !== null) fatal("You are in the middle of a cherry-pick -- cannot amend.");
  if (amend && head.oid === null) fatal("You have nothing yet to amend.");

  const tell = (): void => undefined;
  let committed: Index = index;
  if (options.has("all")) await stageTracked(repo, index, repo.spec([":/"]), tell);
  if (paths.length > 0) {
    if (merging !== null) fatal("cannot do a partial commit during a merge.");
    if (picking !== null) fatal("cannot do a partial commit during a cherry-pick.");
    committed = await onlyPaths(repo, index, head.oid, paths);
  }
  if (index.conflicts.size > 0) {
    const list = [...index.conflicts.keys()].map((path) => `U\t${path}\n`).join("");
    run.out(list);
    throw new Stop(
      128,
      "error: Committing is not possible because you have unmerged files.\nhint: Fix them up in the work tree, and then use 'git add/rm <file>'\nhint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.\n",
    );
  }
  const old = amend && head.oid !== null ? await repo.objects.commit(head.oid) : null;
  const parents = old ? old.parents : [...(head.oid === null ? [] : [head.oid]), ...(merging === null ? [] : [merging])];
  const tree = await indexTree(repo, committed);
  const parent = parents[0] ?? null;
  const unchanged = parent === null ? committed.files.size === 0 : (await repo.objects.commit(parent)).tree === tree;
  const empty = unchanged && merging === null && parents.length < 2 && !options.has("allow-empty");
  if (empty && amend && !options.has("dry-run")) {
    run.out(await emptyAmendText(repo, committed, parent === null));
    run.err(emptyAmend);
    return 1;
  }
  if (empty || options.has("dry-run")) {
    // The index that would have been committed is shown, but not stored: a commit that fails must not resolve a conflict.
    const found = await readStatus(repo, repo.spec([":/"]), { untracked: "normal", proposed: committed });
    // As in git, --quiet does not silence a refused commit.
    if (empty || !options.has("quiet")) run.out(beforeCommit(await longText(repo, found, false, true)));
    return empty ? 1 : 0;
  }

  const reused = options.value("reuse-message");
  const source = reused === null ? old : await repo.objects.commit((await findCommit(repo, reused)) ?? unknownRevision(reused));
  const [fixup, squash] = [options.value("fixup"), options.value("squash")];
  const marked =
    fixup !== null ? await squashSubject(repo, "fixup", fixup) : squash !== null ? await squashSubject(repo, "squash", squash) : null;
  const message = await messageOf(run, repo, {
    given: [...(marked === null ? [] : [marked]), ...options.values("message")],
    file: options.value("file"),
    source,
    merging: merging !== null || picking !== null || reverting !== null,
    merges: merging !== null,
    keep: options.has("no-edit"),
    reuses: reused !== null,
    cleanup: await cleanupOf(repo, options),
  });
  const picked = picking === null ? null : await repo.objects.commit(picking);
  const renews = options.has("reset-author");
  if (renews && source === null) fatal("--reset-author can be used only with -C, -c or --amend.");
  const author = await authorOf(repo, renews ? null : (source ?? picked), options.value("author"), options.value("date"));
  const committer = await repo.committer();
  const signature = options.has("signoff") ? [`Signed-off-by: ${committer.name} <${committer.email}>`] : [];
  const signed = [...signature, ...options.values("trailer")].reduce(withTrailer, message);
  if (signed === "" && !options.has("allow-empty-message")) throw new Stop(1, "Aborting commit due to empty commit message.\n");
  const oid = await repo.writeCommit({ tree, parents, author, committer, message: signed });
  await repo.writeIndex(index);
  const subject = subjectOf(signed);
  const kind = amend
    ? "commit (amend)"
    : picking !== null
      ? "commit (cherry-pick)"
      : merging === null
        ? parents.length === 0
          ? "commit (initial)"
          : "commit"
        : "commit (merge)";
  await moveHead(repo, oid, `${kind}: ${subject}`);
  await writeMessageFile(repo, "COMMIT_EDITMSG", signed);
  await endMerge(repo);
  // This commit also completes the last step of a sequence.
  if (picking !== null || reverting !== null) await dropFinished(repo);
  const showDate =
    picking !== null || (amend && !renews) || options.has("date") || (reused !== null && !renews)
      ? formatDate(author, "default", run.shell.now())
      : null;
  if (!options.has("no-verify")) await nameHooks(run, repo);
  if (!options.has("quiet")) run.out(await announce(repo, { oid, subject, parents, author, committer, showDate, amends: amend }));
  return 0;
}

/** Adds a trailer such as `Refs: #1` (or `Refs=#1`) to the last paragraph, unless the same one is its last line. */
function withTrailer(message: string, trailer: string): string {
  const [, key = trailer, value = ""] = /^([^:=]*)[:=](.*)$/s.exec(trailer) ?? [];
  const line = `${key.trim()}: ${value.trim()}`;
  if (message.endsWith(`\n${line}\n`)) return message;
  return cleanMessage(`${message}${endsInTrailers(message) ? "" : "\n"}${line}`);
}

const emptyAmend =
  'You asked to amend the most recent commit, but doing so would make\nit empty. You can repeat your command with --allow-empty, or you can\nremove the commit entirely with "git reset HEAD^".\n';

/** The status that git prints if an amend would leave the commit empty: the index against the commit's parent. */
async function emptyAmendText(repo: Repository, proposed: Index, isFirst: boolean): Promise<string> {
  const found = await readStatus(repo, repo.spec([":/"]), { untracked: "normal", proposed });
  const head = isFirst ? { ...found.head, oid: null } : found.head;
  const text = await longText(repo, { ...found, head, staged: [] }, false, true);
  return beforeCommit(text).replace(/.*\n$/, "No changes\n");
}

/** `git commit` says "Initial commit" where `git status` says "No commits yet". */
function beforeCommit(text: string): string {
  return text.replace("\nNo commits yet\n", "\nInitial commit\n");
}

/** Names the hooks that git would have run. */
async function nameHooks(run: Run, repo: Repository): Promise<void> {
  const folder = repo.files.resolve(repo.top, (await repo.setting("core.hookspath")) ?? `${repo.common}/hooks`);
  const there: string[] = [];
  for (const name of ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"])
    if ((await repo.files.stat(`${folder}/${name}`))?.canRun === true) there.push(name);
  if (there.length > 0)
    run.err(`warning: Vibey's git runs no hooks (${there.join(", ")}); run them by hand: sh ${folder}/${there[0] ?? ""}\n`);
}

/** The subject that `rebase --autosquash` recognizes. */
async function squashSubject(repo: Repository, word: "fixup" | "squash", name: string): Promise<string> {
  if (/^(?:amend|reword):/.test(name)) absent(`commit --fixup=${name.slice(0, name.indexOf(":"))}:`);
  const { message } = await repo.objects.commit((await findCommit(repo, name)) ?? fatal(`could not lookup commit '${name}'`));
  return `${word}! ${subjectOf(message)}`;
}

/** `git commit path`: commits HEAD with these files from the working tree, and stages them as well. */
async function onlyPaths(repo: Repository, index: Index, head: Oid | null, paths: readonly string[]): Promise<Index> {
  const spec = repo.spec(paths);
  const before = await repo.snapshot(head);
  for (const text of spec.unmatched([...index.files.keys(), ...before.keys()]))
    failed(`pathspec '${text}' did not match any file(s) known to git`);
  await stageTracked(repo, index, spec, () => undefined);
  const files: Index["files"] = new Map();
  for (const [path, file] of before) if (!spec.matches(path)) files.set(path, { ...file, size: -1, mtime: 0 });
  for (const [path, entry] of index.files) if (spec.matches(path)) files.set(path, entry);
  return { files, conflicts: new Map() };
}

const cleanups = ["default", "strip", "whitespace", "verbatim", "scissors"] as const;
type Cleanup = (typeof cleanups)[number];

/** `--cleanup`, or the setting. */
async function cleanupOf(repo: Repository, options: Options): Promise<Cleanup> {
  const name = options.value("cleanup") ?? (await repo.setting("commit.cleanup")) ?? "default";
  return cleanups.find((one) => one === name) ?? fatal(`Invalid cleanup mode ${name}`);
}

const scissors = "# ------------------------ >8 ------------------------\n";

function cleaned(text: string, how: Cleanup, wasEdited: boolean): string {
  switch (how) {
    case "verbatim":
      return text;
    case "scissors": {
      const end = wasEdited ? (text.startsWith(scissors) ? 0 : text.indexOf(`\n${scissors}`)) : -1;
      return cleanMessage(end < 0 ? text : text.slice(0, end));
    }
    default:
      return cleanMessage(text, how === "strip" || (how === "default" && wasEdited));
  }
}

interface MessageSource {
  /** The paragraphs given by `-m`, `--fixup`, and `--squash`. */
  readonly given: readonly string[];
  /** `-F`. */
  readonly file: string | null;
  /** The commit that is amended, or whose message `-C` takes. */
  readonly source: Commit | null;
  /** A merge, cherry-pick, or revert is under way. */
  readonly merging: boolean;
  /** A merge is under way. */
  readonly merges: boolean;
  /** `--no-edit`. */
  readonly keep: boolean;
  /** `-C`. */
  readonly reuses: boolean;
  readonly cleanup: Cleanup;
}

async function messageOf(
  run: Run,
  repo: Repository,
  { given, file, source, merging, merges, keep, reuses, cleanup }: MessageSource,
): Promise<string> {
  const clean = (text: string, wasEdited = false): string => cleaned(text, cleanup, wasEdited);
  if (given.length > 0 && file !== null) fatal("options '-m' and '-F' cannot be used together");
  if (given.length > 0) return clean(`${given.join("\n\n").replace(/\n$/, "")}\n`);
  if (file === "-") return clean(run.shell.stdin());
  if (file !== null) {
    const bytes = await repo.files.read(repo.files.resolve(run.shell.cwd, file));
    return clean(decode(bytes ?? fatal(`could not read log file '${file}': No such file or directory`)));
  }
  const path = `${repo.gitdir}/COMMIT_EDITMSG`;
  const asks =
    cleanup === "verbatim" || cleanup === "whitespace"
      ? ""
      : cleanup === "scissors"
        ? `\n${scissors}# Do not modify or remove the line above.\n# Everything below it will be ignored.\n`
        : "\n# Please enter the commit message for your changes. Lines starting\n# with '#' will be ignored, and an empty message aborts the commit.\n";
  if (source && !keep && !reuses && hasEditor(run))
    return clean(await edited(run, repo, "message", path, `${source.message}${asks}`), true);
  if (source) return cleanup === "default" ? source.message : clean(source.message);
  const left = await leftMessage(repo);
  // As in git, remarks about conflicts stay if no one edits the message.
  if (keep && (merges || (!merging && left !== ""))) return clean(left);
  if (!keep && hasEditor(run)) return clean(await edited(run, repo, "message", path, left + asks), true);
  // There is no editor, so the merge's message is used unchanged, as if an editor was closed at once.
  if (merging) return clean(left, true);
  throw new Stop(1, "error: there is no editor in this shell\nPlease supply the message using either -m or -F option.\n");
}

/** The message that `merge`, `merge --squash`, `cherry-pick -n` or `revert -n` prepared. */
async function leftMessage(repo: Repository): Promise<string> {
  return `${(await readMessageFile(repo, "SQUASH_MSG")) ?? ""}${(await readMessageFile(repo, "MERGE_MSG")) ?? ""}`;
}

async function authorOf(repo: Repository, source: Commit | null, given: string | null, date: string | null): Promise<Person> {
  let author = source?.author ?? (await repo.author());
  if (given !== null) {
    const found = /^(.*?)\s*<(.*)>$/.exec(given) ?? fatal(`--author '${given}' is not 'Name <email>' and matches no existing author`);
    author = { ...author, name: found[1] ?? "", email: found[2] ?? "" };
  }
  if (date !== null) author = { ...author, ...(parseDate(date, repo.shell.now()) ?? fatal(`invalid date format: ${date}`)) };
  return author;
}
