import type { Path } from "../../../fs/path.ts";
import type { JsonObject } from "../../../dialog/model.ts";
import { agentPath, isDialogPath, isMemoryPath } from "../../../protocol/write-rules.ts";
import { decodeText } from "../../text.ts";
import { checkTexts, textFields, textOf } from "./inputs.ts";
import { type PlanContext, type PlannedTool, refuse } from "./tool.ts";

/** Names that a result lists, at most. */
const mostNames = 1_000;
const mostSuggested = 100;
/** UTF-16 units of a file that one call gives. */
const longest = 60_000;

/** Reads a file of the project. Agents that a file defines have it; it may be allowed without asking. */
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
      const folders = [...new Set(all.map((path) => path.slice(0, path.lastIndexOf("/") + 1)))].slice(0, mostSuggested);
      return refuse(`No files match prefix '${prefix}'. Existing prefixes: ${JSON.stringify(folders)}`);
    }
    const left = found.length - mostNames;
    return {
      changes: [],
      expect: [],
      result: { success: true, files: found.slice(0, mostNames), ...(left > 0 ? { notListed: left } : {}) },
    };
  },
};

/** The tools that only read. An agent has them only where its file says so. */
export const readTools: readonly PlannedTool[] = [vfsRead, vfsList];
export const readToolNames: ReadonlySet<string> = new Set(readTools.map(({ definition }) => definition.name));

/**
 * Whether a call asks although its tool is allowed without asking: other dialogs hold what was said to others, hidden files often hold secrets,
 * and what an agent writes into its memory it is told in every later dialog.
 */
export function asksAlways({ name, input }: { readonly name: string; readonly input: JsonObject }): boolean {
  const { path } = input;
  const named = typeof path === "string" ? agentPath(path) : null;
  // Without a path it reads and writes nothing.
  if (named?.ok !== true) return false;
  if (name !== vfsRead.definition.name) return isMemoryPath(named.path);
  return isDialogPath(named.path) || named.path.split("/").some((part) => part.startsWith("."));
}

function checkLine(line: unknown): string | null {
  return line === undefined || (typeof line === "number" && Number.isInteger(line) && line >= 1)
    ? null
    : "from_line: expected a whole number, 1 or more";
}

/** Whole lines from that one on, as many as fit; of a longer line its beginning. */
function excerpt(text: string, given: unknown): JsonObject {
  const from = typeof given === "number" ? given : 1;
  const lines = text.split("\n");
  const kept: string[] = [];
  let room = longest;
  for (const line of lines.slice(from - 1)) {
    if (line.length + 1 > room && kept.length > 0) break;
    kept.push(line.slice(0, room));
    room -= line.length + 1;
    if (room <= 0) break;
  }
  const next = from + kept.length;
  const more = next <= lines.length ? { more: `${lines.length - next + 1} more lines; read on with from_line ${next}` } : {};
  return { text: kept.join("\n"), ...more };
}

async function notFound(path: Path, files: Pick<PlanContext["files"], "list">): Promise<string> {
  const all = (await files.list()).map((one) => one.path);
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const similar = all.find(
    (one) => one.toLowerCase().endsWith(`/${name}`) || one.toLowerCase() === name || one.toLowerCase() === path.toLowerCase(),
  );
  const hint = similar === undefined ? "" : ` Similar: '${similar}'.`;
  return `'${path}' not found.${hint} Available: ${JSON.stringify(all.slice(0, mostSuggested))}`;
}
