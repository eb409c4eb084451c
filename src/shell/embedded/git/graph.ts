import type { Oid } from "./store/model.ts";

type State = "padding" | "pre-commit" | "commit" | "post-merge" | "collapsing";

/** Draws the graph of `git log --graph`. A port of git's graph.c, so that the lines are the same. */
export interface Graph {
  /** Starts the next commit, with those of its parents that are also shown. */
  begin(commit: Oid, parents: readonly Oid[]): void;
  /** The lines up to and including the commit's own line. */
  upToCommit(): string[];
  /** The prefix of an empty line before the commit's line. */
  padding(): string;
  /** The prefix of another line of the commit. */
  next(): string;
  /** The lines that must follow before the next commit. */
  rest(): string[];
}

export function createGraph(): Graph {
  let columns: Oid[] = [];
  let newColumns: Oid[] = [];
  let mapping: number[] = [];
  let oldMapping: number[] = [];
  let mappingSize = 0;
  let commit: Oid = "";
  let parents: readonly Oid[] = [];
  let commitIndex = 0;
  let prevCommitIndex = 0;
  let mergeLayout = 0;
  let edgesAdded = 0;
  let prevEdgesAdded = 0;
  let width = 0;
  let expansionRow = 0;
  let state: State = "padding";
  let prevState: State = "padding";

  function become(next: State): void {
    prevState = state;
    state = next;
  }

  function insert(oid: Oid, index: number): void {
    let i = newColumns.indexOf(oid);
    if (i < 0) i = newColumns.push(oid) - 1;
    let at: number;
    if (parents.length > 1 && index > -1 && mergeLayout === -1) {
      const distance = index - i;
      const shift = distance > 1 ? 2 * distance - 3 : 1;
      mergeLayout = distance > 0 ? 0 : 1;
      edgesAdded = parents.length + mergeLayout - 2;
      at = width + (mergeLayout - 1) * shift;
      width += 2 * mergeLayout;
    } else if (edgesAdded > 0 && i === mapping[width - 2]) {
      at = width - 2;
      edgesAdded = -1;
    } else {
      at = width;
      width += 2;
    }
    mapping[at] = i;
  }

  function updateColumns(): void {
    [columns, newColumns] = [newColumns, []];
    mappingSize = 2 * (columns.length + parents.length);
    mapping = Array.from({ length: mappingSize }, () => -1);
    width = 0;
    prevEdgesAdded = edgesAdded;
    edgesAdded = 0;
    let seen = false;
    for (let i = 0; i <= columns.length; i++) {
      if (i === columns.length && seen) break;
      const here = i === columns.length ? commit : (columns[i] ?? "");
      if (here !== commit) {
        insert(here, -1);
        continue;
      }
      seen = true;
      commitIndex = i;
      mergeLayout = -1;
      for (const parent of parents) insert(parent, i);
      if (parents.length === 0) width += 2;
    }
    while (mappingSize > 1 && (mapping[mappingSize - 1] ?? -1) < 0) mappingSize--;
  }

  const isMappingCorrect = (): boolean => mapping.slice(0, mappingSize).every((target, i) => target < 0 || target === Math.floor(i / 2));
  const needsPreCommit = (): boolean =>
    parents.length >= 3 && commitIndex < columns.length - 1 && expansionRow < (parents.length + mergeLayout - 3) * 2;
  const settle = (): void => become(isMappingCorrect() ? "padding" : "collapsing");

  function preCommitLine(): string {
    let line = "";
    let seen = false;
    for (const [i, column] of columns.entries()) {
      if (column === commit) {
        seen = true;
        line += `|${" ".repeat(expansionRow)}`;
      } else if (seen && expansionRow === 0) line += prevState === "post-merge" && prevCommitIndex < i ? "\\" : "|";
      else line += seen ? "\\" : "|";
      line += " ";
    }
    expansionRow++;
    if (!needsPreCommit()) become("commit");
    return line;
  }

  function octopus(): string {
    let line = "";
    const dashes = parents.length + mergeLayout - 3;
    for (let i = 0; i < dashes; i++) line += `-${i === dashes - 1 ? "." : "-"}`;
    return line;
  }

  function commitLine(): string {
    let line = "";
    let seen = false;
    for (let i = 0; i <= columns.length; i++) {
      if (i === columns.length && seen) break;
      const here = i === columns.length ? commit : columns[i];
      if (here === commit) {
        seen = true;
        line += "*";
        if (parents.length > 2) line += octopus();
      } else if (seen && edgesAdded > 1) line += "\\";
      else if (seen && edgesAdded === 1) line += prevState === "post-merge" && prevEdgesAdded > 0 && prevCommitIndex < i ? "\\" : "|";
      else if (prevState === "collapsing" && oldMapping[2 * i + 1] === i && (mapping[2 * i] ?? -1) < i) line += "/";
      else line += "|";
      line += " ";
    }
    if (parents.length > 1) become("post-merge");
    else settle();
    return line;
  }

  function postMergeLine(): string {
    let line = "";
    let seen = false;
    let passedParent = false;
    let at = mergeLayout;
    for (let i = 0; i <= columns.length; i++) {
      if (i === columns.length && seen) break;
      const here = i === columns.length ? commit : columns[i];
      if (here === commit) {
        seen = true;
        for (let j = 0; j < parents.length; j++) {
          line += "/|\\".charAt(at);
          if (at === 2) line += edgesAdded > 0 || j < parents.length - 1 ? " " : "";
          else at++;
        }
        if (edgesAdded === 0) line += " ";
      } else if (seen) line += `${edgesAdded > 0 ? "\\" : "|"} `;
      else {
        line += "|";
        if (mergeLayout !== 0 || i !== commitIndex - 1) line += passedParent ? "_" : " ";
      }
      if (here === parents[0]) passedParent = true;
    }
    settle();
    return line;
  }

  function collapsingLine(): string {
    let line = "";
    let usedHorizontal = false;
    let edge = -1;
    let edgeTarget = -1;
    [mapping, oldMapping] = [Array.from({ length: mappingSize }, () => -1), mapping];
    const across = (i: number, target: number, at: number): void => {
      mapping[at] = target;
      if (edge !== -1) return;
      edge = at + 1;
      edgeTarget = target;
      for (let j = target * 2 + 3; j < i - 2; j += 2) mapping[j] = target;
    };
    for (let i = 0; i < mappingSize; i++) {
      const target = oldMapping[i] ?? -1;
      if (target < 0) continue;
      const left = mapping[i - 1] ?? -1;
      if (target * 2 === i) mapping[i] = target;
      else if (left < 0) across(i, target, i - 1);
      else if (left !== target) across(i, target, i - 2);
    }
    oldMapping = [...mapping];
    if ((mapping[mappingSize - 1] ?? -1) < 0) mappingSize--;
    for (let i = 0; i < mappingSize; i++) {
      const target = mapping[i] ?? -1;
      if (target < 0) line += " ";
      else if (target * 2 === i) line += "|";
      else if (target === edgeTarget && i !== edge - 1) {
        if (i !== target * 2 + 3) mapping[i] = -1;
        usedHorizontal = true;
        line += "_";
      } else {
        if (usedHorizontal && i < edge) mapping[i] = -1;
        line += "/";
      }
    }
    if (isMappingCorrect()) become("padding");
    return line;
  }

  const padded = (text: string): string => text.padEnd(width);

  function nextLine(): string {
    switch (state) {
      case "pre-commit":
        return padded(preCommitLine());
      case "commit":
        return padded(commitLine());
      case "post-merge":
        return padded(postMergeLine());
      case "collapsing":
        return padded(collapsingLine());
      case "padding":
        return padded("| ".repeat(newColumns.length));
    }
  }

  return {
    begin(next, shown) {
      commit = next;
      parents = shown;
      prevCommitIndex = commitIndex;
      updateColumns();
      expansionRow = 0;
      // The previous state still matters: a collapsing line continues.
      state = needsPreCommit() ? "pre-commit" : "commit";
    },
    upToCommit() {
      const lines: string[] = [];
      for (;;) {
        const isCommit = state === "commit";
        lines.push(nextLine());
        if (isCommit) return lines;
      }
    },
    padding() {
      if (state !== "commit") return nextLine();
      let text = "";
      for (const column of columns) text += `|${" ".repeat(column === commit && parents.length > 2 ? (parents.length - 2) * 2 : 1)}`;
      prevState = "padding";
      return padded(text);
    },
    next: nextLine,
    rest() {
      const lines: string[] = [];
      for (;;) {
        if (state === "padding") return lines;
        lines.push(nextLine());
      }
    },
  };
}
