import type { Path } from "../../../fs/path.ts";
import type { JsonObject } from "../../../dialog/model.ts";
import { agentPath, isDialogPath, isMainDoc, isMemoryPath, writeRefusal } from "../../../protocol/write-rules.ts";
import { readDefinition } from "../../agents/read-definition.ts";
import { placeOf } from "../../agents/registry.ts";
import { decodeText } from "../../text.ts";
import { checkTexts, textFields, textOf } from "./inputs.ts";
import { isJsonObject } from "../../../dialog/json.ts";
import { mostSimilar } from "./similar.ts";
import { type Plan, type PlanContext, type PlannedTool, refuse } from "./tool.ts";
import { writeFile } from "./write-file.ts";

/** The maximum number of names in a result. */
const maxNames = 1_000;
const maxSuggested = 100;
/** The maximum length of a file excerpt in one call, in UTF-16 units. */
const longest = 60_000;

/** Reads a file of the project. Agents with a file can have this tool. It can be allowed without approval. */
export const vfsRead: PlannedTool = {
  definition: {
    name: "vfs_read",
    description: `Read a text file of the project. Gives at most ${longest} characters; \`from_line\` (the first line is 1) gives the rest of a longer one.`,
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", description: "The file, relative to the project's folder." },
        from_line: { type: "integer", description: "The line to begin at; left out: the first." },
      },
      required: ["path"],
    },
  },
  check: (input: JsonObject) => checkTexts(input, ["path"]) ?? checkLine(input["from_line"]),
  async plan(input, { files }) {
    const named = agentPath(textOf(input, "path"));
    if (!named.ok) return refuse(`path: ${named.why}`);
    const { path } = named;
    const content = await files.read(path);
    if (content === null) return refuse(await notFound(path, files));
    const text = decodeText(content.bytes);
    if (text === null) return refuse(`path: ${path} is a binary file (not UTF-8 text)`);
    const expect = [{ path, version: content.version }];
    return {
      changes: [],
      expect,
      result: { success: true, ...excerpt(text, input["from_line"]) },
      shows: { path, version: content.version },
    };
  },
};

/** Lists the files of the project. */
export const vfsList: PlannedTool = {
  definition: {
    name: "vfs_list",
    description: "List the files of the project whose paths begin so, such as `src/`; an empty prefix lists all of them.",
    inputSchema: textFields({ prefix: "What the paths begin with. Empty: all files." }),
  },
  check: (input: JsonObject) => checkTexts(input, ["prefix"]),
  async plan(input, { files }) {
    const prefix = textOf(input, "prefix").replace(/^(?:\.\/|\/project\/|\/)+/, "");
    const all = (await files.list()).map(({ path }) => path);
    const found = all.filter((path) => path.startsWith(prefix));
    if (found.length === 0) {
      const folders = [...new Set(all.map((path) => path.slice(0, path.indexOf("/") + 1)))].filter(Boolean).slice(0, maxSuggested);
      return told(`No files match prefix '${prefix}'. Existing prefixes: ${namesIn(folders)}`);
    }
    const left = found.length - maxNames;
    const rest = left > 0 ? ` and ${left} more: give a longer prefix` : "";
    return told(`${namesIn(found.slice(0, maxNames))}${rest}`);
  },
};

/** Writes a whole file, in a run. */
export const vfsWrite: PlannedTool = {
  definition: {
    name: "vfs_write",
    description:
      "Create or overwrite a file of the project with exactly this content. Agents are in `agents/`, notes in `memory/`, results in `artifacts/`. To change a part of a file, use edit_file.",
    inputSchema: textFields({ path: "The file, relative to the project's folder.", content: "The full content of the file." }),
  },
  check: (input: JsonObject) => checkTexts(input, ["path", "content"]),
  async plan(input, context) {
    const plan = await writeFile.plan(input, context);
    if (!isSuccess(plan)) return asConflict(plan);
    const named = agentPath(textOf(input, "path"));
    const path = named.ok ? named.path : textOf(input, "path");
    const text = `Written to '${path}' (${textOf(input, "content").length} chars)`;
    const warnings = named.ok ? frontMatterWarnings(named.path, textOf(input, "content")) : [];
    return { ...plan, result: { success: true, text, ...(warnings.length === 0 ? {} : { warnings }) } };
  },
};

/** The problems in the front matter of a file that defines an agent. */
function frontMatterWarnings(path: Path, content: string): { readonly code: string; readonly message: string }[] {
  const problems = placeOf(path) === null ? [] : readDefinition(path, content).problems;
  return problems.length === 0 ? [] : [{ code: "front_matter", message: `${path}: ${problems.join(" ")}` }];
}

/** Deletes a file, in a run. */
export const vfsDelete: PlannedTool = {
  definition: {
    name: "vfs_delete",
    description: "Delete a file of the project.",
    inputSchema: textFields({ path: "The file, relative to the project's folder." }),
  },
  check: (input: JsonObject) => checkTexts(input, ["path"]),
  async plan(input, { files, changedByOthers }) {
    const named = agentPath(textOf(input, "path"));
    if (!named.ok) return refuse(`path: ${named.why}`);
    const { path } = named;
    const refusal = isMainDoc(path) ? `${path} can't be deleted: only the user does that` : writeRefusal(path);
    if (refusal !== null) return refuse(`path: ${refusal}`);
    const found = await files.stat(path);
    if (found === null) return refuse("Error: file not found");
    const others = await changedByOthers(path);
    if (others) return refuse(`${path} was changed by ${others.who} since you last saw it; nothing was deleted. Read it first.`);
    return {
      changes: [{ op: "remove", path }],
      expect: [{ path, version: found.version }],
      result: { success: true, text: `Deleted '${path}'` },
    };
  },
};

/** Adds the code `conflict` if someone else has changed the file, so that no change is overwritten unread. */
const asConflict = (plan: Plan): Plan =>
  plan.shows && isJsonObject(plan.result) ? { ...plan, result: { ...plan.result, code: "conflict" } } : plan;
const isSuccess = ({ result }: Plan): boolean => isJsonObject(result) && result["success"] === true;
const told = (text: string): Plan => ({ changes: [], expect: [], result: { success: true, text } });
const namesIn = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(", ")}]`;

/** The tools that only read. An agent has them only if its file says so. */
export const readTools: readonly PlannedTool[] = [vfsRead, vfsList];
/** More file tools that an agent of a run can have. */
export const runFileTools: readonly PlannedTool[] = [vfsWrite, vfsDelete];
export const readToolNames: ReadonlySet<string> = new Set(readTools.map(({ definition }) => definition.name));

/**
 * Whether a call needs approval even if its tool is allowed. Other dialogs hold what was said to others, hidden files often hold secrets, and an
 * agent is told its memory in every later dialog.
 */
export function asksAlways({ name, input }: { readonly name: string; readonly input: JsonObject }): boolean {
  const { path } = input;
  const named = typeof path === "string" ? agentPath(path) : null;
  // Without a path, the call reads and writes nothing.
  if (named?.ok !== true) return false;
  if (name !== vfsRead.definition.name) return isMemoryPath(named.path);
  return isDialogPath(named.path) || named.path.split("/").some((part) => part.startsWith("."));
}

function checkLine(line: unknown): string | null {
  return line === undefined || (typeof line === "number" && Number.isInteger(line) && line >= 1)
    ? null
    : "from_line: expected a whole number, 1 or more";
}

/** As many whole lines as fit, starting at the given line. If that line doesn't fit, its beginning. `more` says what is left out. */
function excerpt(text: string, given: unknown): JsonObject {
  const from = typeof given === "number" ? given : 1;
  const lines = text.split("\n");
  const kept: string[] = [];
  let room = longest;
  for (const line of lines.slice(from - 1)) {
    if (line.length + 1 > room && kept.length > 0) break;
    kept.push(line.length > room ? line.slice(0, room).replace(halfAPair, "") : line);
    room -= line.length + 1;
    if (room <= 0) break;
  }
  const next = from + kept.length;
  const [shown, whole] = [kept[0]?.length ?? 0, lines[from - 1]?.length ?? 0];
  const cut = `line ${from} was cut after ${shown} of ${whole} characters; vfs_read can't read its rest, but run_command can, if you have it`;
  const after = `${lines.length - next + 1} more lines; read on with from_line ${next}`;
  const more = [...(shown < whole ? [cut] : []), ...(next <= lines.length ? [after] : [])];
  return { text: kept.join("\n"), ...(more.length === 0 ? {} : { more: more.join(". ") }) };
}

/** Half a surrogate pair, where a line was cut. */
const halfAPair = /[\uD800-\uDBFF]$/;

async function notFound(path: Path, files: Pick<PlanContext["files"], "list">): Promise<string> {
  const all = (await files.list()).map((one) => one.path);
  const similar = mostSimilar(path, all);
  const hint = similar === null ? "" : ` Similar: '${similar}'.`;
  return `Error: '${path}' not found.${hint} Available: ${namesIn(all.slice(0, maxSuggested))}`;
}
