// What a person approves reads on the screen in the order in which it runs, and a wrapped line doesn't look like another line.
import * as fc from "fast-check";
import type { Component } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, describe, expect, test } from "vitest";
import Exact from "../../../src/app/calls/Exact.tsx";
import { visible } from "../../../src/app/calls/visible.ts";
import askStyle from "../../../src/app/style/ask.css?inline";
import diffStyle from "../../../src/app/style/diff.css?inline";
import exactStyle from "../../../src/app/style/exact.css?inline";
import colours from "../../../src/app/style/tokens.css?inline";
import { triedIn } from "../../tried.ts";

/** Imported through Vite: the folder has file names that differ only in case, which TypeScript rejects in one program. */
async function component<Props extends Record<string, unknown>>(file: "Diff" | "Visible", name: string): Promise<Component<Props>> {
  const files = import.meta.glob("../../../src/app/calls/{Diff,Visible}.tsx");
  const module = await files[`../../../src/app/calls/${file}.tsx`]?.();
  if (typeof module !== "object" || module === null) throw new Error(`there is no ${file}.tsx`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller names the type.
  return Reflect.get(module, name) as Component<Props>;
}
const Diff = await component<{ before: string; after: string; first: number | null }>("Diff", "default");
const Visible = await component<{ text: string }>("Visible", "Visible");

/** Browsers have no `process`, so Vite provides the campaign's numbers. It does so only for this literal expression. */
const { VITE_SHOWN: times, VITE_SHOWN_SEED: seed } = import.meta.env as Readonly<Record<string, string | undefined>>;
/** The slowest test took a tenth of a second per run on a busy machine. */
const lasting = { timeout: 300_000 + 1_000 * Number(times ?? 40) };
const runs = { numRuns: Number(times ?? 40), reporter: triedIn(), ...(seed === undefined ? {} : { seed: Number(seed) }) };

for (const text of [colours, diffStyle, askStyle, exactStyle]) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}

let dispose = () => {};
afterEach(() => dispose());

function show(what: () => ReturnType<typeof Exact>, width = 4_000): HTMLElement {
  dispose();
  document.body.replaceChildren();
  const box = document.createElement("div");
  box.className = "ask";
  box.style.width = `${width}px`;
  document.body.append(box);
  const end = render(what, box);
  dispose = () => end();
  return box;
}

/** The rectangle of the characters from `from` to `to` of the whole text. */
function rectOf(box: HTMLElement, from: number, to: number): DOMRect {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let at = 0;
  let started = false;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (!started && from < at + length) {
      range.setStart(node, from - at);
      started = true;
    }
    if (started && to <= at + length) {
      range.setEnd(node, to - at);
      return range.getBoundingClientRect();
    }
    at += length;
  }
  throw new Error(`no characters ${from} to ${to} in ${JSON.stringify(box.textContent)}`);
}

/** Checks that each token is drawn from left to right after the one before it. */
function expectOrder(box: HTMLElement, tokens: readonly string[]) {
  const text = box.textContent ?? "";
  let from = 0;
  let right = -Infinity;
  for (const token of tokens) {
    const at = text.indexOf(token, from);
    expect(at, `${token} in ${text}`).toBeGreaterThanOrEqual(from);
    const rect = rectOf(box, at, at + token.length);
    expect(rect.width, token).toBeGreaterThan(0);
    expect(rect.left, `${token} in ${text}`).toBeGreaterThanOrEqual(right - 0.51);
    right = rect.right;
    from = at + token.length;
  }
}

const word = fc.constantFrom("א", "שלום", "مرحبا", "ملف", "٣", "٢٣", "12", "rm", "ls", "x.md", "ܐܒ", "ߊߋ", "𞤀𞤁", "-", "木");
const operator = fc.constantFrom("&&", "||", "|", ">", "<", ";", "&", "(", ")", "=", "/", "..", "-", "{", "}", "'", '"', "$", "*");
const command = fc.array(fc.tuple(word, operator), { minLength: 1, maxLength: 8 });

describe("the order on the screen", () => {
  test("the example: words from right to left move no operator", () => {
    const box = show(() => <Exact text="א && ב || ג > /project/x" reading="command" />);
    expectOrder(box, ["א", "&&", "ב", "||", "ג", ">", "/project/x"]);
  });

  test("the same text without isolation is shown in another order: the measure sees it", () => {
    const box = show(() => "א && ב || ג > /project/x");
    expect(() => expectOrder(box, ["א", "&&", "ב", "||", "ג"])).toThrow();
  });

  test("law: of commands, with and without blanks", lasting, () => {
    fc.assert(
      fc.property(command, fc.constantFrom(" ", ""), (pairs, blank) => {
        const tokens = pairs.flat();
        expectOrder(
          show(() => <Exact text={tokens.join(blank)} reading="command" />),
          tokens,
        );
      }),
      runs,
    );
  });

  test("law: of rows of a diff", lasting, () => {
    fc.assert(
      fc.property(command, (pairs) => {
        const tokens = pairs.flat();
        const box = show(() => <Diff before="" after={tokens.join(" ")} first={1} />);
        const row = box.querySelector<HTMLElement>(".diff-add");
        if (row === null) throw new Error("no row was added");
        expectOrder(row, tokens);
      }),
      runs,
    );
  });

  test("law: of names of files and hosts, as an element and as a string, also in text from right to left", lasting, () => {
    const name = fc.array(word, { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(name, fc.constantFrom("/", "."), fc.constantFrom("ltr", "rtl"), (parts, sign, dir) => {
        const text = parts.join(sign);
        const tokens = parts.flatMap((part, index) => (index === 0 ? [part] : [sign, part]));
        expectOrder(
          show(() => (
            <p dir={dir}>
              <Visible text={text} />
            </p>
          )),
          tokens,
        );
        expectOrder(
          show(() => <p dir="ltr">{visible(text)}</p>),
          tokens,
        );
      }),
      runs,
    );
  });
});

describe("lines", () => {
  const rowsOf = (line: Element) => Math.round(line.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(line).lineHeight));
  const linesIn = (box: HTMLElement) => Array.from(box.querySelectorAll<HTMLElement>(".exact-line"));
  /** The number of rows that show the arrow of a wrapped line. */
  const arrows = (line: Element) =>
    Math.round(Number.parseFloat(getComputedStyle(line, "::after").height) / Number.parseFloat(getComputedStyle(line).lineHeight));
  const inPre = (text: string, width: number) =>
    show(
      () => (
        <pre style={{ "line-height": "20px", "font-size": "13px" }}>
          <Exact text={text} reading="command" />
        </pre>
      ),
      width,
    );

  test("blanks that would wrap are one mark, and the command stays one line", () => {
    const [line, ...more] = linesIn(inPre(`npm test${" ".repeat(400)}rm -rf x`, 600));
    if (line === undefined) throw new Error("no line");
    expect(more).toEqual([]);
    expect([rowsOf(line), arrows(line)]).toEqual([1, 0]);
    expect(getComputedStyle(line.querySelector(".deceit") ?? line, "::after").content).toBe('"400 spaces"');
  });

  test("each row of a long line but its first has an arrow; a line of its own has a number and none", () => {
    const [long, short] = linesIn(inPre(`echo ${"word ".repeat(60).trim()}\nrm x`, 500));
    if (long === undefined || short === undefined) throw new Error("two lines were expected");
    expect(rowsOf(long)).toBeGreaterThan(2);
    expect(arrows(long)).toBe(rowsOf(long) - 1);
    expect([rowsOf(short), arrows(short)]).toEqual([1, 0]);
    expect([long, short].map((line) => getComputedStyle(line, "::before").content)).toEqual(['"1" / ""', '"2" / ""']);
  });

  test("a line wraps at blanks alone: no word of it reads as two", () => {
    for (let width = 90; width < 400; width += 7) {
      const [line] = linesIn(inPre("npm test -- --run board --reporter=dot && rm -rf a-b/c?d=e x|y", width));
      if (line === undefined) throw new Error("no line");
      for (const part of line.querySelectorAll(".whole")) {
        const room = line.getBoundingClientRect().width - Number.parseFloat(getComputedStyle(line).paddingInlineStart);
        const probe = document.createElement("span");
        probe.style.cssText = "white-space: nowrap; position: absolute";
        probe.textContent = part.textContent;
        line.append(probe);
        const fits = probe.getBoundingClientRect().width <= room;
        probe.remove();
        expect([part.textContent, fits && rowsOf(part) > 1]).toEqual([part.textContent, false]);
      }
      expect(arrows(line)).toBe(rowsOf(line) - 1);
    }
    // A word longer than a line breaks inside, and its rows still show arrows.
    const [long] = linesIn(inPre(`rm ${"a-".repeat(80)}`, 300));
    expect(long && rowsOf(long)).toBeGreaterThan(2);
    expect(long && arrows(long)).toBe(long && rowsOf(long) - 1);
  });

  test("the place of the arrow and of the number is out of the text's reach", () => {
    const box = inPre(`\t${"x".repeat(300)}\n  y`, 400);
    const left = box.getBoundingClientRect().left;
    for (const line of linesIn(box)) {
      const range = document.createRange();
      range.selectNodeContents(line);
      for (const rect of range.getClientRects()) expect(rect.left - left).toBeGreaterThan(40);
    }
  });

  test("law: what is copied is what stands there", lasting, () => {
    const piece = fc.constantFrom("rm", " ", "    ", "\t", "\n", "\n\n\n\n\n\n", "сurl", "א", "&&", "x".repeat(80));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        const box = inPre(text, 400);
        expect(box.textContent).toBe(text);
        getSelection()?.selectAllChildren(box);
        expect(getSelection()?.toString().trim()).toBe(text.trim());
      }),
      runs,
    );
  });

  describe("of a long text", () => {
    async function whole(box: HTMLElement): Promise<void> {
      while (box.querySelector(".loading") !== null) await new Promise((done) => requestAnimationFrame(done));
    }
    const numbers = (box: HTMLElement) =>
      Array.from(box.querySelectorAll<HTMLElement>(".exact-part"), (part) =>
        Array.from(part.querySelectorAll<HTMLElement>(".exact-line"), (line, nth) =>
          nth === 0 && part.classList.contains("continued") ? "↪" : line.dataset["number"],
        ),
      ).flat();

    test("it counts as loading until all of it is there, and then nothing of it is missing", async () => {
      const text = "echo a && rm -rf b\n".repeat(1_000);
      const box = inPre(text, 400);
      expect(box.querySelector(".loading")).not.toBeNull();
      await whole(box);
      expect(box.textContent).toBe(text);
      expect(numbers(box)).toEqual(Array.from({ length: 1_000 }, (_, nth) => String(nth + 1)));
    });

    test("a part that begins within a line has an arrow in place of a number", async () => {
      const box = inPre(`first\n${"x".repeat(20_000)}\nlast`, 400);
      await whole(box);
      const found = numbers(box);
      expect(found.filter((one) => one !== "↪")).toEqual(["1", "2", "3"]);
      expect(found.length).toBeGreaterThan(15);
    });

    test("hundreds of thousands of lines keep no frame from being drawn", async () => {
      const box = inPre("-\n".repeat(200_000), 400);
      let frames = 0;
      while (box.querySelector(".loading") !== null) {
        await new Promise((done) => requestAnimationFrame(done));
        frames += 1;
      }
      expect(frames).toBeGreaterThan(20);
      expect(box.textContent?.length).toBe(400_000);
    });
  });
});
