import { isMap, isSeq, stringify } from "yaml";
import { slugPattern } from "../definition.ts";
import { toSlug } from "../read-definition.ts";
import { parseYaml } from "../parse-yaml.ts";
import type { OpenPlan, OfferedFile } from "./model.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The maximum length of a file that is read as YAML, in UTF-16 units. */
const longest = 100_000;
/** The maximum number of agents in one file. */
const most = 100;

const isFields = (said: unknown): said is Fields => typeof said === "object" && said !== null && !Array.isArray(said);

/** Reads agents in YAML: a list below `agents:` as in OpenVibe, or names with role, goal and backstory as in CrewAI. Writes one file for each. */
export function planYaml({ path, text }: OfferedFile, plan: OpenPlan): void {
  const unused = (why: string) => void plan.unused.push({ path, why });
  if (text.length > longest) return unused(`The file is longer than ${longest.toLocaleString("en-US")} characters.`);
  if (text.length > plan.yamlLeft) return unused("The files before it hold as much YAML as one import reads. Import it by itself.");
  plan.yamlLeft -= text.length;
  const read = parse(text);
  if (!read.ok) return unused(`It can't be read as YAML: ${read.why}`);
  const listed = isFields(read.value) ? read.value["agents"] : read.value;
  const found = Array.isArray(listed) ? listed : namedAgents(isFields(listed) ? listed : read.value);
  if (found.length === 0) return unused("It lists no agents: expected `agents:` with a list, or names with role, goal and backstory.");
  for (const [at, one] of found.slice(0, most).entries()) {
    const place = `${path}: agent ${at + 1}`;
    const agent = isFields(one) ? agentText(one) : null;
    if (agent === null) plan.unused.push({ path: place, why: "Expected keys, with a name or a slug." });
    else if (agent.slug.startsWith("_"))
      plan.unused.push({
        path: `${place} (${agent.slug})`,
        why: "Names that start with _ are reserved for Vibey's built-in agents.",
      });
    else plan.writes.push({ path: `agents/${agent.slug}.md`, text: agent.text, from: place });
  }
  if (found.length > most) unused(`Only the first ${most} agents were read.`);
  return undefined;
}

/** CrewAI uses a key for each agent. */
function namedAgents(said: unknown): unknown[] {
  if (!isFields(said)) return [];
  return Object.entries(said).flatMap(([slug, one]) => {
    const isAgent = isFields(one) && ["role", "goal", "backstory", "system_prompt", "prompt"].some((key) => typeof one[key] === "string");
    return isAgent ? [{ slug, ...one }] : [];
  });
}

const words = (said: unknown): string => (typeof said === "string" ? said.trim() : "");

interface Named {
  readonly slug: string;
  readonly text: string;
}

/**
 * The file of one agent. Its `name` becomes the slug by which it is adopted, and stays its display name. An id from another program isn't used,
 * unless the name has letters that a slug can't have.
 */
function agentText({ slug: named, name: given, id, system_prompt: system, prompt, ...all }: Fields): Named | null {
  const own = words(given);
  const said = words(named) || own;
  const slug = slugOf(/(?!\p{Script=Latin})\p{L}/u.test(said) && slugPattern.test(words(id)) ? words(id) : said || words(id));
  if (slug === null) return null;
  const name = own === "" || own === slug ? { name: slug } : { name: slug, display_name: own };
  const { role, goal, backstory, llm, max_iter: turns, ...rest } = all;
  const isCrew = [role, goal, backstory].some((one) => words(one) !== "");
  const fields = isCrew
    ? {
        ...name,
        description: words(role),
        ...(words(llm) === "" ? {} : { model: words(llm) }),
        ...(turns === undefined ? {} : { max_turns: turns }),
        ...rest,
      }
    : { ...name, ...all };
  const crew = [
    words(role) && `You are ${words(role)}.`,
    words(goal) && `GOAL: ${words(goal)}`,
    words(backstory) && `BACKGROUND: ${words(backstory)}`,
  ];
  const body = words(system) || words(prompt) || crew.filter((one) => one !== "").join("\n\n");
  return { slug, text: `---\n${stringify(fields, { lineWidth: 0 })}---\n\n${body}\n` };
}

const slugOf = (name: string): string | null =>
  name === "" ? null : name.startsWith("_") ? `_${toSlug(name.slice(1))}`.slice(0, 40) : toSlug(name);

type Read = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

/** Reads the text as it is. If it isn't valid YAML, tries again with common mistakes corrected: tabs, and colons in unquoted text. */
function parse(text: string): Read {
  const plain = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const read = readYaml(plain);
  if (read.ok) return read;
  const corrected = readYaml(correct(plain));
  return corrected.ok ? corrected : read;
}

function readYaml(text: string): Read {
  const parsed = parseYaml(text, { unique: false });
  if (!parsed.ok) return { ok: false, why: parsed.why.split("\n")[0] ?? "" };
  const { document } = parsed;
  if (!isMap(document.contents) && !isSeq(document.contents)) return { ok: true, value: null };
  try {
    return { ok: true, value: document.toJS({ maxAliasCount: 0 }) };
  } catch (problem) {
    return { ok: false, why: problem instanceof Error ? problem.message : String(problem) };
  }
}

function correct(text: string): string {
  /** The indent of the key whose block of text follows. */
  let block: number | null = null;
  return text
    .split("\n")
    .map((line) => {
      const spaced = line.replace(/^[ \t]+/, (indent) => indent.replaceAll("\t", "  "));
      const indent = spaced.search(/\S/);
      if (block !== null && (indent < 0 || indent > block)) return spaced;
      block = null;
      const [, before = "", value] = /^(\s*(?:- )?[A-Za-z_][\w-]*:) +(\S.*)$/.exec(spaced) ?? [];
      if (value === undefined) return spaced;
      if (/^[|>][+-]?\d?\s*$/.test(value)) {
        block = /^\s*- /.test(before) ? indent + 1 : indent;
        return spaced;
      }
      return /: |:$| #/.test(value) && !/^["'[{]/.test(value) ? `${before} ${JSON.stringify(value.trim())}` : spaced;
    })
    .join("\n");
}
