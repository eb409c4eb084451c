import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { saidIn } from "./texts/said.ts";

const app = join(import.meta.dirname, "../../src/app");

/** Strings that look like words but aren't texts: the file, the string, and why. */
const allowed: readonly (readonly [file: string, text: string, why: string])[] = [
  ["calls/decisions.ts", "əəə\n${…}\nəəə", "what the engine reads"],
  ["calls/decisions.ts", "allow ${…}", "what the engine reads"],
  ["calls/AlwaysLike.tsx", "> Authorized: ${…}", "what is written into the file"],
  ["docs/editor/languages.ts", "ts jsx", "what the parser reads"],
  ["calls/decisions.ts", "deny ${…}", "what the engine reads"],
  ["calls/network.ts", "GET only", "what the engine reads"],
  ["calls/network.ts", "GET only, no more", "what the engine reads"],
  ["calls/network.ts", "any method", "what the engine reads"],
  ["calls/network.ts", "any method, no uploads", "what the engine reads"],
  ["calls/network.ts", "any method and uploads", "what the engine reads"],
  ["dialogs/file-drop.ts", "Files", "the platform's name for files that are dragged"],
  ["docs/editor/syntax/limits.ts", "Paragraph", "the parser's name for a node"],
  ["dialogs/resolution.ts", "KEY POINTS", "a heading of a summary"],
  ["dialogs/resolution.ts", "ACTION ITEMS", "a heading of a summary"],
  ["docs/editor/theme.ts", "1px solid var(--line)", "style"],
  ["docs/editor/theme.ts", "1px solid var(--wait-line)", "style"],
  ["markdown/rest.ts", "auto ${…}px", "style"],
  ["markdown/view.ts", "p, li, h3, h4, h5, h6, td, th, pre > code, .plain", "a selector"],
  ["preview/build/jsx.ts", "Fragment", "a name in the page's own script"],
  ["preview/build/script.ts", "var process = previewModules.process;${…}", "code"],
  ["preview/build/scripts.ts", "$${…} as ${…}", "code"],
  ["preview/build/scripts.ts", "import * as $${…} from", "code"],
  ["frame/drops.ts", "Files", "the platform's name of what is dragged"],
  ["agents/new-agent.ts", "[vfs_read, vfs_list]", "what is written into the file"],
  ["agents/new-agent.ts", "display_name: ${…}", "what is written into the file"],
  ["agents/new-agent.ts", "description: ${…}", "what is written into the file"],
  ["agents/new-agent.ts", "tools: ${…}", "what is written into the file"],
  ["stations/station.ts", "Bash", "the name of another program's tool"],
  ["stations/station.ts", "Read", "the name of another program's tool"],
  ["stations/station.ts", "Write", "the name of another program's tool"],
  ["stations/station.ts", "Edit", "the name of another program's tool"],
  ["providers/names.ts", "Claude", "the name of a product"],
  ["providers/servers.ts", "Groq", "the name of a product"],
  ["providers/servers.ts", "Mistral", "the name of a product"],
  ["providers/servers.ts", "Gemini", "the name of a product"],
  ["providers/servers.ts", "Ollama", "the name of a product"],
  ["providers/servers.ts", "LM Studio", "the name of a product"],
];

/** All modules of the app except the texts. */
const files = readdirSync(app, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("texts/"))
  .toSorted();

const said = files.flatMap((file) => saidIn(file, readFileSync(join(app, file), "utf8")).map(({ text, line }) => ({ file, text, line })));

test("the components hold no text: every one is in src/app/texts", () => {
  const known = new Set(allowed.map(([file, text]) => `${file} ${text}`));
  expect(said.filter(({ file, text }) => !known.has(`${file} ${text}`)).map(({ file, text, line }) => `${file}:${line} ${text}`)).toEqual(
    [],
  );
});

test("what is allowed is there", () => {
  const found = new Set(said.map(({ file, text }) => `${file} ${text}`));
  expect(allowed.filter(([file, text]) => !found.has(`${file} ${text}`))).toEqual([]);
});

describe("the test of the test", () => {
  test.each([
    ["text of an element", "const a = <p>gone</p>", "gone"],
    ["text beside what is filled in", "const a = <p>{n} files</p>", "files"],
    ["an attribute that is read", 'const a = <p aria-label="x">{y}</p>', "x"],
    ["an attribute of a component", 'const a = <Row note="mine" />', "mine"],
    ["an attribute's expression", 'const a = <p title={on ? "on" : t.off} />', "on"],
    ["an attribute's template", "const a = <p title={`the ${name}`} />", "the ${…}"],
    ["an alternative", 'const a = <p placeholder={name ?? "none"} />', "none"],
    ["a sentence in code", 'const a = tell("no dialog waits for you")', "no dialog waits for you"],
    ["a label in code", 'const a = { label: "Save" }', "Save"],
    ["a label with its dots", 'const a = ["save…"]', "save…"],
    ["a template's pieces", "const a = `${n} more`", "${…} more"],
    ["a piece before", "const a = `and ${n}`", "and ${…}"],
    ["words of another language", 'const a = "été là"', "été là"],
    ["words in a condition's branch", 'const a = b ? "not saved" : ""', "not saved"],
    ["an error that is a value", 'const a = { message: new Error("it is full") }', "it is full"],
  ])("%s is found", (_, code, text) => {
    expect(saidIn("a.tsx", code)).toEqual([{ text, line: 1 }]);
  });

  test.each([
    ["a class", 'const a = <p class="zip note" classList={{ "is open": b() }}>{t.files}</p>'],
    ["a class that is chosen", 'const a = <p class={b() ? "primary wide" : "quiet"} />'],
    ["a text of texts/", "const a = <p title={t.files(`a-${n}`)}>{t.files}</p>"],
    ["what decides about a text", 'const a = <p title={kind() === "deed" ? t.deed : t.doc} />'],
    ["a selector", 'const a = document.querySelector("main .list")'],
    ["a piece of a pattern", "const a = new RegExp(String.raw`two words [\\p{L}]`)"],
    ["a media query", 'const a = matchMedia("(max-width: 46rem) and screen")'],
    ["a name of the platform", 'const a = error.name === "AbortError" || key === "Enter"'],
    ["what is compared", 'const a = b.name === "Link" || "Notification" in window; switch (b.name) { case "Table": c(); }'],
    ["a class that is assigned", "a.className = `quiet small ${b}`"],
    ["classes and flags in code", 'const a = ["md-fold md-fold-closed", `md-h md-h${b}`, "allow-scripts allow-forms"]'],
    ["code", "const a = `throw new SyntaxError(${b});`"],
    ["a kind, a path, a header", 'const a = ["not-found", "vibey/doc-main.md", "Content-Type", `#/docs/${name}`]'],
    ["a programmer's mistake", 'throw new Error("the page has no element")'],
    ["what is for the console", 'console.info("it will not open", error)'],
    ["a name of something that is stored", 'const a = "vibey storage care"'],
    ["a type", 'type A = "a b" | "Save"; const a = b as "Save all"'],
    ["an import", 'import a from "a b c"; const b = import("a b c")'],
    ["signs", "const a = <p>{b} – {c}&nbsp;·</p>; const d = `${b} – ${c}`"],
  ])("%s is none", (_, code) => {
    expect(saidIn("a.tsx", code)).toEqual([]);
  });

  test("it tells the line", () => {
    expect(saidIn("a.tsx", '\n\nconst a = (\n  <p\n    title="x"\n  />\n);')).toEqual([{ text: "x", line: 5 }]);
  });

  test("a module that cannot be read is an error", () => {
    expect(() => saidIn("a.tsx", "const a = <p>")).toThrow("a.tsx cannot be read");
  });
});
