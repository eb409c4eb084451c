export interface ConfigEntry {
  /** Section and name are in lower case; a subsection keeps its case: "branch.Main.merge". */
  readonly key: string;
  readonly value: string;
}

const sectionLine = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/s;
/** A name and the start of its value after "=". The rest is trimmed by hand, because a pattern takes quadratic time on a long run of spaces. */
const entryHead = /^\s*([A-Za-z][\w-]*)\s*(=|$)/;

/** The entries of a config file, in order. */
export function parseConfig(text: string): ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  let section = "";
  for (const line of text.replaceAll("\\\n", "").split("\n")) {
    const opens = sectionLine.exec(line);
    const rest = opens ? (opens[3] ?? "") : line;
    if (opens) section = sectionKey(opens[1] ?? "", opens[2]);
    const entry = /^\s*[#;]/.test(rest) ? null : entryHead.exec(rest);
    if (!entry) continue;
    const value = entry[2] === "=" ? unquote(rest.slice(entry[0].length).trim()) : "true";
    entries.push({ key: `${section}.${(entry[1] ?? "").toLowerCase()}`, value });
  }
  return entries;
}

/** Returns the text with the last `key` set to `value` (null: removed), or added to its section. */
export function changeConfig(text: string, key: string, value: string | null): string {
  const { section, name } = splitKey(key);
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  let current = "";
  let found = -1;
  let end = -1;
  for (const [i, line] of lines.entries()) {
    const opens = sectionLine.exec(line);
    if (opens) current = sectionKey(opens[1] ?? "", opens[2]);
    if (current !== section) continue;
    end = i;
    if (!opens && entryHead.exec(line)?.[1]?.toLowerCase() === name.toLowerCase()) found = i;
  }
  const entry = value === null ? [] : [`\t${name} = ${quote(value)}`];
  if (found >= 0) lines.splice(found, 1, ...entry);
  else if (end >= 0) lines.splice(end + 1, 0, ...entry);
  else if (value !== null) lines.push(sectionHead(section), ...entry);
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/** Returns the text with another value of `key` at the end of its section. */
export function addConfig(text: string, key: string, value: string): string {
  const { section, name } = splitKey(key);
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  let current = "";
  let end = -1;
  for (const [i, line] of lines.entries()) {
    const opens = sectionLine.exec(line);
    if (opens) current = sectionKey(opens[1] ?? "", opens[2]);
    if (current === section) end = i;
  }
  const entry = `\t${name} = ${quote(value)}`;
  if (end >= 0) lines.splice(end + 1, 0, entry);
  else lines.push(sectionHead(section), entry);
  return `${lines.join("\n")}\n`;
}

/** Returns the text with the section `from`, such as "branch.topic", renamed, or removed if `to` is null. */
export function moveSection(text: string, from: string, to: string | null): string {
  let inside = false;
  const lines = text
    .replace(/\n$/, "")
    .split("\n")
    .flatMap((line) => {
      const opens = sectionLine.exec(line);
      if (opens) inside = sectionKey(opens[1] ?? "", opens[2]) === from;
      if (!inside) return [line];
      if (to === null) return [];
      return [opens ? `${sectionHead(to)}${opens[3]?.trim() ? ` ${opens[3].trimStart()}` : ""}` : line];
    });
  return lines.length === 0 || (lines.length === 1 && lines[0] === "") ? "" : `${lines.join("\n")}\n`;
}

/** Normalizes a key to the form that `parseConfig` returns: section and subsection, then the name. Null: not a key. */
export function normalKey(key: string): string | null {
  if (!/^[\w-]+\.(?:.*\.)?[A-Za-z][\w-]*$/.test(key)) return null;
  const { section, name } = splitKey(key);
  return `${section}.${name.toLowerCase()}`;
}

function splitKey(key: string): { readonly section: string; readonly name: string } {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  const section = key.slice(0, first).toLowerCase() + key.slice(first, last);
  return { section: first === last ? key.slice(0, first).toLowerCase() : section, name: key.slice(last + 1) };
}

function sectionKey(section: string, sub: string | undefined): string {
  return sub === undefined ? section.toLowerCase() : `${section.toLowerCase()}.${sub.replaceAll(/\\(.)/g, "$1")}`;
}

function sectionHead(section: string): string {
  const dot = section.indexOf(".");
  return dot < 0 ? `[${section}]` : `[${section.slice(0, dot)} "${section.slice(dot + 1).replaceAll(/["\\]/g, "\\$&")}"]`;
}

function unquote(text: string): string {
  let value = "";
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] ?? "";
    if (letter === '"') inside = !inside;
    else if (letter === "\\") {
      i++;
      const next = text[i] ?? "";
      value += next === "n" ? "\n" : next === "t" ? "\t" : next;
    } else if (!inside && (letter === "#" || letter === ";")) return value.trimEnd();
    else value += letter;
  }
  return inside || text.endsWith('"') ? value : value.trimEnd();
}

function quote(value: string): string {
  const escaped = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return /^\s|\s$|[#;]/.test(value) ? `"${escaped}"` : escaped;
}
