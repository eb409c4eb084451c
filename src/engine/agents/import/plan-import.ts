import { isForeignAgent, isForeignInstructions } from "../../../protocol/foreign-files.ts";
import { toSlug } from "../read-definition.ts";
import { splitFrontMatter } from "../split.ts";
import { planYaml } from "./agent-lists.ts";
import type { ImportPlan, OfferedFile, OpenPlan } from "./model.ts";
import { isOpenCode, planOpenCode } from "./opencode.ts";
import { openClawFolders, planOpenClaw } from "./openclaw.ts";

/** Files that programs and operating systems leave in folders. */
const litter = /(?:^|\/)(?:__MACOSX|\.git|node_modules)\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/;

/** The maximum number of imported files, and of files listed as not imported. */
const most = 2_000;

/** The project's files: the text by the path in lower case. */
export type Existing = ReadonlyMap<string, string>;

/**
 * Plans the import of files that describe agents, in any format. Agents are written where other programs keep theirs: Vibey finds them there, and
 * the user adopts them. No existing file is overwritten.
 */
export function planImport(files: readonly OfferedFile[], existing: Existing): ImportPlan {
  const plan: OpenPlan = { writes: [], unused: [], schedules: [], yamlLeft: 200_000 };
  let left = withoutOuter(files.filter(({ path }) => !litter.test(path)));
  for (const folder of openClawFolders(left)) {
    const inside = left.filter(({ path }) => path.startsWith(folder));
    planOpenClaw(folder, inside, plan);
    left = left.filter((file) => !inside.includes(file));
  }
  const done = new Set(left.filter(({ path }) => isOpenCode(path)).flatMap((file) => planOpenCode(file, left, plan)));
  for (const file of left) if (!isOpenCode(file.path) && !done.has(file)) planOne(file, plan);
  const writes = plan.writes.splice(0);
  for (const { from } of writes.splice(most))
    plan.unused.push({ path: from, why: `One import brings at most ${most.toLocaleString("en-US")} files.` });
  const given = new Set<string>();
  for (const write of writes) {
    const owner = ownerOf(write.path);
    if (owner !== null && existing.has(owner)) {
      plan.unused.push({ path: write.from, why: `The memory of ${owner} can't be imported: only that agent can write its memory.` });
      continue;
    }
    const path = placed(write, existing, given);
    if (path === null) plan.unused.push({ path: write.from, why: `${write.path} is there already, and stays as it is.` });
    else {
      given.add(path.toLowerCase());
      plan.writes.push({ ...write, path });
    }
  }
  const untold = plan.unused.length - most;
  if (untold > 0) plan.unused.splice(most, untold, { path: "…", why: `${untold.toLocaleString("en-US")} more aren't imported.` });
  return plan;
}

/** The path of the agent that owns this memory file. Null if the path isn't a memory file. */
function ownerOf(path: string): string | null {
  const [, slug] = /^vibey\/memory-(.+)\.md$/.exec(path) ?? [];
  return slug === undefined ? null : `vibey/agent-${slug}.md`;
}

/** A free path. Null if the same file exists, or if a doc with this path exists: other files refer to docs by path. */
function placed({ path, text }: OfferedFile, existing: Existing, given: ReadonlySet<string>): string | null {
  const there = existing.get(path.toLowerCase());
  if (there === text || (there !== undefined && path.startsWith("vibey/"))) return null;
  const end = /(?:\.(?:agent|chatmode))?\.md$/i.exec(path)?.[0] ?? "";
  const stem = path.slice(0, path.length - end.length);
  for (let nth = 1; ; nth += 1) {
    const free = nth === 1 ? path : `${stem}-${nth}${end}`;
    const form = free.toLowerCase();
    if (existing.get(form) === text) return null;
    if (!existing.has(form) && !given.has(form)) return free;
  }
}

function planOne(file: OfferedFile, plan: OpenPlan): void {
  const { path, text } = file;
  const unused = (why: string) => void plan.unused.push({ path, why });
  if (/\.ya?ml$/i.test(path)) return planYaml(file, plan);
  if (isForeignInstructions(path)) return unused("These are instructions for every agent. Write what matters into main.");
  if (!/\.mdc?$/i.test(path)) return unused("Expected a Markdown or YAML file.");
  const { block, isOpen } = splitFrontMatter(text);
  const isPlaced = isForeignAgent(path);
  if (block === null && !isOpen && !isPlaced) return unused("It has no front matter, so it isn't taken for an agent.");
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/(?:\.(?:agent|chatmode))?\.mdc?$/i, "");
  return void plan.writes.push({ path: isPlaced ? path : `agents/${toSlug(name)}.md`, text, from: path });
}

/** Removes an outer folder that contains all files, because it is only the folder of their project. */
function withoutOuter(files: readonly OfferedFile[]): readonly OfferedFile[] {
  const [outer = "", rest] = files[0]?.path.split("/", 2) ?? [];
  if (rest === undefined || /^(?:\.|agents$)/.test(outer) || !files.every(({ path }) => path.startsWith(`${outer}/`))) return files;
  // The name of the folder may be that of an agent.
  if (files.some(({ path }) => path.toLowerCase() === `${outer}/soul.md`.toLowerCase())) return files;
  return files.map((file) => ({ ...file, path: file.path.slice(outer.length + 1) }));
}
