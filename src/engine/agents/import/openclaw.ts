import { stringify } from "yaml";
import { slugPattern } from "../definition.ts";
import { toSlug } from "../read-definition.ts";
import { splitFrontMatter } from "../split.ts";
import { maxMemoryLength } from "../../turn/tools/memory.ts";
import type { OfferedFile, OpenPlan } from "./model.ts";

/** The length of a file that is searched for headings, in UTF-16 units. */
const longestLook = 10_000;

/** The file that makes a folder an OpenClaw agent. */
const soul = /(?:^|\/)SOUL\.md$/i;

/** The folders of OpenClaw agents among the files, each with a trailing slash. Empty for the outermost folder. */
export const openClawFolders = (files: readonly OfferedFile[]): string[] =>
  files.flatMap(({ path }) => (soul.test(path) ? [path.slice(0, path.lastIndexOf("/") + 1)] : []));

/**
 * Imports an OpenClaw agent: SOUL and AGENTS become its prompt, IDENTITY its name and description, MEMORY its memory. Its other files become docs
 * that its prompt names. HEARTBEAT becomes a doc, too, and a schedule that the user may accept.
 */
export function planOpenClaw(folder: string, files: readonly OfferedFile[], plan: OpenPlan): void {
  const own = new Map(files.map((file) => [file.path.slice(folder.length).toLowerCase(), file]));
  const read = (name: string): string => own.get(name)?.text.trim() ?? "";
  const bodyOf = (name: string): string => splitFrontMatter(read(name)).body.trim();
  const identity = identityOf(read("identity.md"));
  const slug = slugFor(identity.name, folder);
  const docs: string[] = [];
  const doc = (name: string, about: string) => {
    const file = own.get(name);
    if (file === undefined || file.text.trim() === "") return;
    const path = `vibey/doc-${slug}-${name.replace(/\.md$/, "").replaceAll(/[^a-z0-9]+/g, "-")}.md`;
    plan.writes.push({ path, text: file.text, from: file.path });
    docs.push(`- \`${path}\`${about}`);
  };

  doc("tools.md", ": tools");
  doc("user.md", ": the user");
  doc("knowledge-map.md", ": where knowledge is");
  for (const name of own.keys()) if (/^(?:config|memory)\/[^/]+\.md$/.test(name)) doc(name, "");

  const memory = read("memory.md");
  if (memory.length > maxMemoryLength) doc("memory.md", ": all that was remembered");
  const memoryFrom = own.get("memory.md")?.path;
  if (memory !== "" && memoryFrom !== undefined) {
    plan.writes.push({ path: `vibey/memory-${slug}.md`, text: `${memory.slice(0, maxMemoryLength)}\n`, from: memoryFrom });
    if (memory.length > maxMemoryLength)
      plan.unused.push({
        path: memoryFrom,
        why: `A memory holds ${maxMemoryLength.toLocaleString("en-US")} characters. All of it is a doc.`,
      });
  }

  // A heartbeat with only comments does nothing in OpenClaw either.
  const heart = withoutComments(read("heartbeat.md"));
  const beats = heart.split("\n").some((line) => /^\s*[^#\s]/.test(line));
  if (beats) {
    doc("heartbeat.md", ": what to do when your schedule starts you");
    plan.schedules.push(`> Schedule: ${slug} every ${minutesIn(heart)}m`);
  }

  const fields = {
    name: slug,
    ...(identity.name === "" ? {} : { display_name: identity.name }),
    ...(identity.description === "" ? {} : { description: identity.description }),
    ...capabilitiesIn(read("tools.md").slice(0, longestLook)),
    ...(memory === "" ? {} : { memory: true }),
  };
  const named = docs.length === 0 ? "" : `Docs of yours, to be read when they matter:\n\n${docs.join("\n")}`;
  const body = [bodyOf("soul.md"), bodyOf("agents.md"), named].filter((part) => part !== "").join("\n\n");
  plan.writes.push({
    path: `agents/${slug}.md`,
    text: `---\n${stringify(fields, { lineWidth: 0 })}---\n\n${body}\n`,
    from: own.get("soul.md")?.path ?? folder,
  });

  const known = /^(?:soul|agents|identity|memory|tools|user|knowledge-map|heartbeat)\.md$|^(?:config|memory)\/[^/]+\.md$/;
  for (const [name, { path }] of own) {
    if (known.test(name)) continue;
    const why = name === "bootstrap.md" ? "Start the first conversation yourself." : "It is no part of an agent here.";
    plan.unused.push({ path, why });
  }
  if (own.has("heartbeat.md") && !beats)
    plan.unused.push({ path: own.get("heartbeat.md")?.path ?? "", why: "It holds only comments, so nothing is scheduled." });
}

/** The slug of the name, or of the folder if the name has no letter that a slug can have. */
function slugFor(name: string, folder: string): string {
  const slugs = [name, folder.split("/").at(-2) ?? ""].map((one) => toSlug(one).replace(/^_+/, ""));
  return slugs.find((slug) => slug !== "agent" && slugPattern.test(slug)) ?? "agent";
}

const descriptions = ["description", "role", "purpose", "creature", "vibe"];
const identityKeys: ReadonlySet<string> = new Set(["name", ...descriptions]);

/** Reads `- **Name:** Maxos` or `Name: Maxos`. Otherwise uses the first heading that isn't about the file itself. */
function identityOf(text: string): { readonly name: string; readonly description: string } {
  const said = new Map<string, string>();
  for (const line of text.split(/\r\n?|\n/)) {
    const [, name = "", value = ""] = /^([^:：]*)[:：](.*)$/.exec(line) ?? [];
    const key = name.replaceAll(/[-*\s]/g, "").toLowerCase();
    if (!identityKeys.has(key) || said.has(key)) continue;
    const plain = value.replaceAll(/[*_`]/g, "").trim();
    if (plain !== "") said.set(key, /^[(（].*[)）]$/.test(plain) ? "" : plain);
  }
  const field = (key: string): string => said.get(key) ?? "";
  const [, heading = ""] = /^#\s+(?!IDENTITY)([^\n]+)$/im.exec(text) ?? [];
  const about = descriptions.map(field).filter((one) => one !== "");
  return { name: (field("name") || heading.trim()).slice(0, 100), description: about.slice(0, 2).join(". ").slice(0, 300) };
}

/** The headings of the second and third level, as tags. */
function capabilitiesIn(tools: string): { readonly capabilities?: readonly string[] } {
  const found = [...tools.matchAll(/^#{2,3}\s+(.+)$/gm)].map(([, heading = ""]) => toSlug(heading));
  return found.length === 0 ? {} : { capabilities: [...new Set(found)].slice(0, 12) };
}

/** Done by hand, because a regular expression would scan to the end of the text for each unclosed comment. */
function withoutComments(text: string): string {
  let left = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf("<!--", from);
    const end = start < 0 ? -1 : text.indexOf("-->", start + 4);
    if (end < 0) return left + text.slice(from);
    left += text.slice(from, start);
    from = end + 3;
  }
}

/** Reads `every 30 minutes` or `every 2h`. The default is an hour, and the interval is between 15 minutes and a day. */
function minutesIn(text: string): number {
  const [, count = "", unit = ""] = /every\s+(\d{1,4})\s*(m|h)/i.exec(text) ?? [];
  const minutes = count === "" ? 60 : Number(count) * (unit.toLowerCase() === "h" ? 60 : 1);
  return Math.min(Math.max(minutes, 15), 1_440);
}
