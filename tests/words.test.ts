import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Phrase, phrasesIn, proseOf, wordsOf } from "./words.ts";

/** Not in what people read, in docs, nor in comments. */
const never: readonly Phrase[] = [
  { phrase: /\banew\b/i, instead: "again" },
  { phrase: /\bwhoever\b/i, instead: "anyone who" },
  { phrase: /\bsomebody\b/i, instead: "someone" },
  { phrase: /\banybody\b/i, instead: "anyone" },
  { phrase: /\bnobody\b/i, instead: "no one" },
  { phrase: /\b(?:go|goes|went|going) on\b(?! (?:top|the|a|its|to)\b)/i, instead: "continue" },
  { phrase: /\bhow manieth\b/i, instead: "index" },
  { phrase: /\bfurther ones\b/i, instead: "the rest" },
  { phrase: /\b(?:your|for) leave\b/i, instead: "permission, approval" },
  { phrase: /\bfor your word\b/i, instead: "for your reply" },
  { phrase: /\bsecond cop(?:y|ies)\b/i, instead: "backup" },
  { phrase: /\breckon(?:s|ed|ing)?\b/i, instead: "calculate" },
  { phrase: /\bfresh dialogs?\b/i, instead: "new dialog" },
  { phrase: /\bfor ever\b/i, instead: "forever" },
  { phrase: /\bthe human\b/i, instead: "the user, you" },
];

/** Not in what a screen says. */
const neverOnScreen: readonly Phrase[] = [
  { phrase: /\bcould not be\b|\bfailed to\b|\bunable to\b/i, instead: "Couldn't …: why" },
  { phrase: /\bwas not\b|\bwere not\b|\bis not\b|\bdoes not\b|\bdid not\b|\bcannot\b/i, instead: "a contraction" },
  { phrase: /\bmeanwhile\b/i, instead: "the time it names" },
  { phrase: /\bat most\b|\bthe most\b/i, instead: "up to" },
  { phrase: /\bmay (?:not )?reach\b/i, instead: "can connect to" },
  { phrase: /\b(?:take|took|taken|put) back\b/i, instead: "undo, restore" },
  { phrase: /\bremembered\b/i, instead: "saved" },
  { phrase: /\bbase URL\b/i, instead: "provider address" },
  { phrase: /\bthe engine\b|\bVibey itself\b/i, instead: "Vibey" },
  { phrase: /\bVibey's own shell\b/i, instead: "built-in shell" },
  { phrase: /\ba WebContainer\b/i, instead: "WebContainer" },
  { phrase: /\bany more\b(?! \w)/i, instead: "anymore" },
  { phrase: /\bmarkdown\b/, instead: "Markdown" },
  { phrase: /\b(?:sorry|oops|simply|please)\b/i, instead: "nothing" },
  { phrase: /\b(?:colour|licence|organisation|cancelled)/i, instead: "American spelling" },
  { phrase: /\d %|\} %/, instead: "no space before %" },
  { phrase: /!$/, instead: "a period" },
  { phrase: /—/, instead: "two sentences" },
];

/** The file, the phrase as it is found, and why it may stay. */
const allowed: readonly (readonly [file: string, found: string, why: string])[] = [
  ["src/engine/providers/demo/build.ts", "Nobody", "the demo speaks like a person"],
  ["src/app/texts/start.ts", "Please", "said to an agent"],
  ["src/app/texts/dialogs.ts", "Please", "said to an agent"],
];

const under = (folder: string, name: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => name.test(file))
    .toSorted();

const sources = [...under("src", /\.tsx?$/), ...under("public", /\.js$/)];
const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...under("docs", /\.md$/), ...under("src", /\.md$/)];
const screens = under("src/app/texts", /\.tsx?$/);

function found(files: readonly string[], phrases: readonly Phrase[], textsOf: (file: string, text: string) => readonly string[]): string[] {
  return files
    .flatMap((file) => phrasesIn(textsOf(file, readFileSync(file, "utf8")), phrases).map((hit) => ({ file, ...hit })))
    .filter(({ file, words }) => !allowed.some(([at, what]) => at === file && what === words))
    .map(({ file, words, instead, text }) => `${file}: “${words}” (write: ${instead}) in “${text}”`);
}

/** Few files have one of them anywhere, be it a name in the code, and only those are taken apart. */
function mayHoldSome(file: string): boolean {
  const text = readFileSync(file, "utf8").replaceAll(/[\s*/]+/g, " ");
  return never.some(({ phrase }) => phrase.test(text));
}

test("sources say nothing in words that never stay", () => {
  expect(found(sources.filter(mayHoldSome), never, (file, text) => wordsOf(file, text))).toEqual([]);
});

test("pages say nothing in words that never stay", () => {
  expect(found(pages, never, (_, text) => proseOf(text))).toEqual([]);
});

test("screens speak plain English", () => {
  expect(found(screens, neverOnScreen, (file, text) => wordsOf(file, text, { comments: false }))).toEqual([]);
});

test("what is allowed is there", () => {
  const unused = allowed.filter(([file, what]) => {
    const texts = wordsOf(file, readFileSync(file, "utf8"));
    return !phrasesIn(texts, [...never, ...neverOnScreen]).some(({ words }) => words === what);
  });
  expect(unused).toEqual([]);
});

describe("the test of the test", () => {
  test.each([
    ["a string", 'const a = "begin anew";'],
    ["a template", "const a = `${b} began anew`;"],
    ["text of an element", "const a = <p>Begin anew</p>;"],
    ["a comment", "// It begins anew.\nconst a = 1;"],
    ["a comment of several lines", "/**\n * It begins\n * anew.\n */\nconst a = 1;"],
  ])("%s is read", (_, code) => {
    expect(phrasesIn(wordsOf("a.tsx", code), never).map(({ words }) => words)).toEqual(["anew"]);
  });

  test.each([
    ["a name in code", "const anew = startAnew();"],
    ["an import", 'import { a } from "./anew.ts";'],
    ["code in a comment", "// `anew` is a kind of message.\nconst a = 1;"],
  ])("%s is not", (_, code) => {
    expect(phrasesIn(wordsOf("a.tsx", code), never)).toEqual([]);
  });

  test("a page's code and quotations are not read", () => {
    expect(phrasesIn(proseOf("Say `anew`, “anew”.\n\n    anew\n\n```\nanew\n```\nnever anew"), never)).toHaveLength(1);
  });
});
