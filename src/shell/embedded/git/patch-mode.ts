import { type LineChange, diffLines } from "../../../fs/text/line-diff.ts";
import { toBytes } from "../encoding.ts";
import type { FileChange } from "./changes.ts";
import { patch } from "./print-changes.ts";
import type { Repository } from "./repository.ts";
import type { Run } from "./run.ts";
import { modes } from "./store/model.ts";
import { isBinary } from "./text/bytes.ts";
import { hunksOf, linesOf, type PlacedHunk, rangeText, splitHunk } from "./text/unified.ts";

/** The question that is asked about each change, and what "yes" does. */
export interface PatchQuestion {
  /** The parts of "Stage this hunk". */
  readonly verb: "Stage" | "Unstage" | "Discard";
  readonly where: "" | " from worktree";
  /** True: the chosen changes are removed from the new side. False: they are added to the old side. */
  readonly takesOut: boolean;
}

export const questions = {
  stage: { verb: "Stage", where: "", takesOut: false },
  unstage: { verb: "Unstage", where: "", takesOut: true },
  discard: { verb: "Discard", where: " from worktree", takesOut: true },
} as const satisfies Record<string, PatchQuestion>;

/** A file after the answers were applied. */
export interface Chosen {
  readonly path: string;
  /** Null: the file is removed. */
  readonly bytes: Uint8Array | null;
  readonly mode: number;
}

type Answer = "yes" | "no" | "open";

interface Hunk extends PlacedHunk {
  answer: Answer;
}

/** Reads the answers from standard input, one per line. */
export function answersOf(run: Run): () => string | null {
  const lines = run.shell.stdin().split("\n");
  if (lines.at(-1) === "") lines.pop();
  return () => lines.shift() ?? null;
}

/** Shows each change and asks about it. Returns the files in which something was chosen. */
export async function choosePatches(
  run: Run,
  repo: Repository,
  changes: readonly FileChange[],
  question: PatchQuestion,
): Promise<readonly Chosen[]> {
  const usable = changes.filter(
    ({ old, new: now, unmerged }) => unmerged !== true && old?.mode !== modes.submodule && now?.mode !== modes.submodule,
  );
  if (usable.length === 0) {
    run.err("No changes.\n");
    return [];
  }
  const next = answersOf(run);
  const chosen: Chosen[] = [];
  let asked = false;
  for (const change of usable) {
    const before = change.old === null ? new Uint8Array() : await repo.objects.blob(change.old.oid);
    const after = change.new === null ? new Uint8Array() : await repo.objects.blob(change.new.oid);
    if (isBinary(before) || isBinary(after)) continue;
    asked = true;
    const text = await patch(repo, [change], 3);
    const at = text.indexOf("\n@@ ");
    run.out(at < 0 ? text : text.slice(0, at + 1));
    const sides = { old: linesOf(before), new: linesOf(after) };
    const { hunks, quits } = askHunks(run, next, change, question, sides);
    if (hunks.some(({ answer }) => answer === "yes")) chosen.push(result(change, question, sides, hunks));
    run.out("\n");
    if (quits) break;
  }
  if (!asked) run.err("Only binary files changed.\n");
  return chosen;
}

interface Sides {
  readonly old: readonly string[];
  readonly new: readonly string[];
}

function result(change: FileChange, { takesOut }: PatchQuestion, { old, new: now }: Sides, hunks: readonly Hunk[]): Chosen {
  const takes = ({ answer }: Hunk): boolean => (answer === "yes") !== takesOut;
  const taken = hunks.filter(takes).flatMap((hunk) => hunk.changes);
  const all = hunks.every(takes);
  const none = !hunks.some(takes);
  const gone = (all && change.new === null) || (none && change.old === null);
  let text = "";
  let at = 0;
  for (const each of taken) {
    text += old.slice(at, each.oldStart).join("") + now.slice(each.newStart, each.newStart + each.newCount).join("");
    at = each.oldStart + each.oldCount;
  }
  text += old.slice(at).join("");
  const mode = change.old?.mode ?? change.new?.mode ?? modes.file;
  return { path: change.path, bytes: gone ? null : toBytes(text, "latin1"), mode };
}

function askHunks(
  run: Run,
  next: () => string | null,
  change: FileChange,
  question: PatchQuestion,
  { old, new: now }: Sides,
): { readonly hunks: readonly Hunk[]; readonly quits: boolean } {
  const whole = change.old === null ? "addition" : change.new === null ? "deletion" : null;
  const lineChanges: readonly LineChange[] = diffLines(old, now);
  const hunks: Hunk[] = hunksOf(old, now, lineChanges, 3).map((hunk) => ({ ...hunk, answer: "open" }));
  // A change of a file without lines also counts as a hunk.
  if (hunks.length === 0) hunks.push({ changes: [], oldStart: 0, oldEnd: 0, heading: false, answer: "open" });
  const openFrom = (from: number, step: 1 | -1): number => {
    for (let i = from; i >= 0 && i < hunks.length; i += step) if (hunks[i]?.answer === "open") return i;
    return -1;
  };
  let at = 0;
  for (;;) {
    const hunk = hunks[at];
    if (hunk === undefined) return { hunks, quits: false };
    const before = openFrom(at - 1, -1);
    const after = openFrom(at + 1, 1);
    if (hunk.answer !== "open" && before < 0 && after < 0) return { hunks, quits: false };
    const parts = splitHunk(hunk);
    const letters = [
      "y",
      "n",
      "q",
      "a",
      "d",
      ...(before >= 0 ? ["k"] : []),
      ...(at > 0 ? ["K"] : []),
      ...(after >= 0 ? ["j"] : []),
      ...(at + 1 < hunks.length ? ["J"] : []),
      ...(hunks.length > 1 ? ["g", "/"] : []),
      ...(parts.length > 1 ? ["s"] : []),
      ...(whole === "deletion" ? [] : ["e"]),
      "?",
    ];
    run.out(rangeText(old, now, hunk));
    run.out(`(${at + 1}/${hunks.length}) ${question.verb} ${whole ?? "this hunk"}${question.where} [${letters.join(",")}]? `);
    const answer = next();
    if (answer === null) return { hunks, quits: false };
    const letter = answer.trim().charAt(0);
    if (letter === "") continue;
    const onwards = (): void => void (at = after >= 0 ? after : openFrom(0, 1) >= 0 ? openFrom(0, 1) : hunks.length);
    const decide = (given: Answer, through: number): void => {
      for (let i = at; i <= through; i++) {
        const one = hunks[i];
        if (one && (i === at || one.answer === "open")) one.answer = given;
      }
    };
    const lower = letter.toLowerCase();
    if (lower === "q") return { hunks, quits: true };
    if (lower === "y" || lower === "n") {
      decide(lower === "y" ? "yes" : "no", at);
      onwards();
    } else if (lower === "a" || lower === "d") {
      decide(lower === "a" ? "yes" : "no", hunks.length - 1);
      at = openFrom(0, 1) >= 0 ? openFrom(0, 1) : hunks.length;
    } else if (letter === "s" && parts.length > 1) {
      run.out(`Split into ${parts.length} hunks.\n`);
      hunks.splice(at, 1, ...parts.map((part): Hunk => ({ ...part, answer: "open" })));
    } else if (letter === "j" && after >= 0) at = after;
    else if (letter === "k" && before >= 0) at = before;
    else if (letter === "J" && at + 1 < hunks.length) at++;
    else if (letter === "K" && at > 0) at--;
    else if (letter === "g" && hunks.length > 1 && Number(answer.trim().slice(1)) >= 1 && Number(answer.trim().slice(1)) <= hunks.length)
      at = Number(answer.trim().slice(1)) - 1;
    else run.out(refusal(letter, letters) ?? help(question, letters));
  }
}

function refusal(letter: string, letters: readonly string[]): string | null {
  switch (letter) {
    case "s":
      return "Sorry, cannot split this hunk\n";
    case "e":
      return "Vibey's git has no editor: answer s to split the hunk, or edit the file\n";
    case "g":
    case "/":
      return letters.includes("g") ? "Vibey's git takes g with a number, as in g2\n" : "No other hunks to goto\n";
    case "j":
    case "J":
      return "No next hunk\n";
    case "k":
    case "K":
      return "No previous hunk\n";
    default:
      return null;
  }
}

function help({ verb, where }: PatchQuestion, letters: readonly string[]): string {
  const does = `${verb.toLowerCase()} this hunk${where}`;
  const rest = `${verb.toLowerCase()} this hunk or any of the`;
  const lines: readonly (readonly [letter: string, what: string])[] = [
    ["y", does],
    ["n", `do not ${does}`],
    ["q", `quit; do not ${rest} remaining ones`],
    ["a", `${verb.toLowerCase()} this hunk and all later hunks in the file`],
    ["d", `do not ${rest} later hunks in the file`],
    ["j", "leave this hunk undecided, see next undecided hunk"],
    ["J", "leave this hunk undecided, see next hunk"],
    ["k", "leave this hunk undecided, see previous undecided hunk"],
    ["K", "leave this hunk undecided, see previous hunk"],
    ["g", "select a hunk to go to"],
    ["/", "search for a hunk matching the given regex"],
    ["s", "split the current hunk into smaller hunks"],
    ["e", "manually edit the current hunk"],
    ["?", "print help"],
  ];
  return lines.flatMap(([letter, what]) => (letters.includes(letter) ? [`${letter} - ${what}\n`] : [])).join("");
}
