// A block of code on the screen: the height of its lines, and their numbers.
import { afterEach, expect, test } from "vitest";
import { turned } from "../../../src/app/texts/markdown.ts";
import { codeBlock } from "../../../src/app/markdown/code.ts";
import codeStyle from "../../../src/app/style/code.css?inline";
import proseStyle from "../../../src/app/style/prose.css?inline";
import colours from "../../../src/app/style/tokens.css?inline";

for (const text of [colours, proseStyle, codeStyle]) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}
afterEach(() => document.body.replaceChildren());

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");

function show(text: string) {
  const block = codeBlock(text, "");
  const prose = document.createElement("div");
  prose.className = "prose";
  prose.append(block.element);
  document.body.append(prose);
  const pre = block.element.querySelector("pre");
  const code = block.element.querySelector("code");
  if (pre === null || code === null) throw new Error("there is no code");
  return { ...block, pre, code, numbers: () => pre.dataset["numbers"]?.split("\n").length ?? 0 };
}

test("a line is about one and a half times as high as its text", () => {
  const { code, pre } = show(lines(9));
  const { paddingTop, paddingBottom } = getComputedStyle(pre);
  const height = (pre.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom)) / 9;
  const ratio = height / Number.parseFloat(getComputedStyle(code).fontSize);
  expect(ratio).toBeGreaterThan(1.4);
  expect(ratio).toBeLessThan(1.65);
});

test("the lines of a long block are numbered, as many as show, also while it grows", () => {
  expect(show(lines(9)).numbers()).toBe(0);
  const { numbers, update, element, pre } = show(lines(10));
  expect(numbers()).toBe(10);
  update(lines(12));
  expect(numbers()).toBe(12);
  update(lines(50));
  expect(numbers()).toBe(20);
  element.querySelector<HTMLButtonElement>(".show-all")?.click();
  expect(numbers()).toBe(50);
  // The numbers are not part of the text.
  expect(pre.textContent).toBe(lines(50));
  expect(show("x".repeat(21_000)).numbers()).toBe(0);
});

test("each number stands beside its line", () => {
  const { pre } = show(lines(15));
  const numbers = Number.parseFloat(getComputedStyle(pre, "::before").height);
  expect(Math.abs(numbers - (pre.querySelector("code")?.getBoundingClientRect().height ?? 0))).toBeLessThan(1);
});

const pieces = (code: Element) => Array.from(code.querySelectorAll(".piece"));
const longestText = (code: Element) => Math.max(...pieces(code).map((piece) => piece.textContent.length), 0);

test.each([
  ["combining marks", `a${"\u0301".repeat(15_000)}`],
  ["marks on letters", "a\u0301\u0301".repeat(5_000)],
  ["direction signs in lines", "\u202Ea\n".repeat(5_000)],
  ["words from right to left", "\u05D0 a ".repeat(3_000)],
])("code of %s is never one long text, at once and while it grows", async (_, text) => {
  const atOnce = show(text);
  atOnce.element.querySelector<HTMLButtonElement>(".show-all")?.click();
  const growing = show("a");
  growing.element.querySelector<HTMLButtonElement>(".show-all")?.click();
  for (let length = 500; length < text.length; length += 500) growing.update(text.slice(0, length));
  growing.update(text);
  growing.element.querySelector<HTMLButtonElement>(".show-all")?.click();
  for (const { code } of [atOnce, growing]) {
    await expect.poll(() => code.textContent === text).toBe(true);
    expect(pieces(code).length).toBeGreaterThan(10);
    expect(longestText(code)).toBeLessThanOrEqual(1_024);
  }
});

test("long code that is unfolded while it still comes goes on where it was, some of it in each frame", async () => {
  const text = "a\n".repeat(200_000);
  const { code, element, update, close } = show(text.slice(0, 30_000));
  element.querySelector<HTMLButtonElement>(".show-all")?.click();
  await expect.poll(() => code.textContent.length).toBe(30_000);
  const [first] = pieces(code);
  for (const length of [30_001, 100_000, 250_000, text.length]) {
    const before = pieces(code).length;
    update(text.slice(0, length));
    expect(pieces(code).length - before).toBeLessThan(100);
  }
  close();
  await expect.poll(() => code.textContent === text).toBe(true);
  expect(pieces(code)[0]).toBe(first);
  expect(longestText(code)).toBeLessThanOrEqual(1_024);
});

test("unfolded code that changes keeps what stays the same, and shows at once what it showed", async () => {
  const line = (at: number) => `line ${at}${"x".repeat(at % 90)}\n`;
  const text = Array.from({ length: 2_000 }, (_, at) => line(at)).join("");
  const { code, element, update } = show(text.slice(0, 60_000));
  element.querySelector<HTMLButtonElement>(".show-all")?.click();
  await expect.poll(() => code.textContent.length).toBe(60_000);
  const before = pieces(code);
  // The end of what is there is selected while more comes.
  const last = before.at(-1)?.lastChild;
  if (!last) throw new Error("the last piece has no text");
  getSelection()?.setBaseAndExtent(last, 2, last, 12);
  const selected = String(getSelection());
  update(text.slice(0, 60_300));
  update(text.slice(0, 61_500));
  expect(String(getSelection())).toBe(selected);
  await expect.poll(() => code.textContent === text.slice(0, 61_500)).toBe(true);
  // A part in the middle becomes another one, and the end is cut off.
  for (const changed of [`${text.slice(0, 30_000)}?${text.slice(30_001, 61_500)}`, text.slice(0, 40_000), text.slice(0, 25_000)]) {
    update(changed);
    expect(code.textContent === changed).toBe(true);
    expect(pieces(code)[5]).toBe(before[5]);
    expect(longestText(code)).toBeLessThanOrEqual(1_024);
    expect(Array.from(code.children, (group) => group.childElementCount === 32)).toEqual(
      Array.from(code.children, (group) => group.classList.contains("full")),
    );
  }
  update("short");
  expect(code.textContent).toBe("short");
  expect(pieces(code)).toEqual([]);
});

test("code that is unfolded while it is short is cut into pieces once it is long", async () => {
  const { code, element, update } = show(lines(40));
  element.querySelector<HTMLButtonElement>(".show-all")?.click();
  expect(code.children).toHaveLength(0);
  update(lines(5_000));
  await expect.poll(() => code.textContent === lines(5_000)).toBe(true);
  expect(longestText(code)).toBeGreaterThan(0);
  expect(longestText(code)).toBeLessThanOrEqual(1_024);
});

test.each(["rm a \u202E/x", "\u2066a\u2069", "x\u200F"])(
  "code that hidden characters turn says so, once, also while it grows: %j",
  (text) => {
    const notes = (element: Element) => Array.from(element.querySelectorAll("p"), (note) => note.textContent);
    expect(notes(show(text).element)).toEqual([turned]);
    const { element, update } = show("a\u05D0\u200D\u{1F469}");
    expect(notes(element)).toEqual([]);
    update(`a\u05D0\u200D\u{1F469}${text}`);
    update(`a\u05D0\u200D\u{1F469}${text}${text}`);
    expect(notes(element)).toEqual([turned]);
  },
);

test("ordinary code is one text, which can be selected through", () => {
  expect(show("const naïve = 'é';\n".repeat(30)).code.children).toHaveLength(0);
});
