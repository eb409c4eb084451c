import type { FileChange } from "../../../fs/history/store.ts";
import { isInGit } from "../../../fs/git-name.ts";
import type { Path } from "../../../fs/path.ts";
import type { HistoryCommitAnswer } from "../../../protocol/index.ts";

type Kind = HistoryCommitAnswer["changes"][number]["change"];

/** The maximum length of the names in a summary, in UTF-16 units. Further names are counted. */
const maxNamesLength = 80;

export function kindOf({ before, after }: FileChange): Kind {
  if (before === null) return "added";
  return after === null ? "removed" : "changed";
}

/** What a commit changed, in one line: `docs: edited main.md`, `added src/a.js, src/b.js and 3 more`. Files of a Git repository come last. */
export function summaryOf(changes: readonly FileChange[]): string {
  const own = changes.filter(({ path }) => !isInGit(path));
  const shown = own.length > 0 ? own : changes;
  const inGit = changes.length - shown.length;
  const paths = shown.map(({ path }) => path);
  const allDocs = paths.every(isDoc);
  const kinds = new Set(shown.map(kindOf));
  const [kind = "changed"] = kinds;
  const verb = kinds.size > 1 ? "changed" : kind === "changed" ? "edited" : kind;
  const names = namesOf(paths.map((path) => (allDocs ? path.slice("vibey/".length).replace(/^doc-/, "") : path)));
  return `${allDocs ? "docs: " : ""}${verb} ${names}${inGit > 0 ? `; ${inGit} in .git` : ""}`;
}

/** As many names as fit into a line, and the number of the rest. */
export function namesOf(names: readonly string[]): string {
  const shown: string[] = [];
  let room = maxNamesLength;
  for (const name of names) {
    room -= name.length;
    if (shown.length > 0 && room < 0) break;
    shown.push(name);
  }
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function isDoc(path: Path): boolean {
  return path.startsWith("vibey/");
}
