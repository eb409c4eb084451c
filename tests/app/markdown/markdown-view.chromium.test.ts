import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type GrowingText, growing, longer } from "../../../src/app/markdown/growing.ts";
import { limitedWorker } from "../../../src/app/markdown/limited-worker.ts";
import { createMarkdownView } from "../../../src/app/markdown/view.ts";

let root: HTMLElement;
beforeEach(() => {
  root = document.createElement("div");
  root.style.width = "600px";
  document.body.append(root);
});
afterEach(() => root.remove());

/** The element's content without the wrappers around blocks. Highlighting is left out: it comes later, from a worker. */
function shownIn(element: HTMLElement): string {
  const shown = element.cloneNode(true) as HTMLElement;
  for (const code of shown.querySelectorAll("pre > code")) code.replaceChildren(code.textContent);
  return Array.from(shown.children, (sheet) => sheet.innerHTML).join("\n");
}

async function atOnce(text: string): Promise<string> {
  const other = document.createElement("div");
  await createMarkdownView(other)(text, true);
  return shownIn(other);
}

describe("a text that grows", () => {
  test("a block that was taken for final, and goes on after all, is shown as it is at the end", async () => {
    const text = "| a | b |\n3. d\n- [ ] t";
    const element = document.createElement("div");
    const show = createMarkdownView(element);
    for (const at of [4, 9, 11, 12, 13, 15, 16]) await show(text.slice(0, at), false);
    await show(text, true);
    expect(shownIn(element)).toBe(await atOnce(text));
  });

  test("an indented line of a paragraph reads the same whatever stood behind it while the text grew", async () => {
    const text = "*i* <b>\n3. d\n    k\n- [x] u";
    const element = document.createElement("div");
    const show = createMarkdownView(element);
    for (const at of [19, 20]) await show(text.slice(0, at), false);
    await show(text, true);
    expect(shownIn(element)).toBe(await atOnce(text));
  });

  test("however it is cut, the page is the same as when it came in one piece", async () => {
    const word = fc.constantFrom(
      "# a",
      "- b",
      "- [ ] t",
      "- [x] u",
      "  c",
      "1. d",
      "3. d",
      "> e",
      "```js",
      "```",
      "f **g** `h`",
      "*i* <b>",
      "",
      "",
      "[l](https://a.example/x)",
      "| a | b |",
      "|---|:-:|",
      "| c | d |",
      "    k",
      "---",
    );
    const cut = fc.array(fc.nat({ max: 9 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 25 }), cut, async (parts, sizes) => {
        const text = parts.join("\n");
        const element = document.createElement("div");
        const show = createMarkdownView(element);
        let at = 0;
        for (const size of sizes) await show(text.slice(0, (at += size)), false);
        await show(text, false);
        await show(text, true);
        const whole = await atOnce(text);
        // On a busy machine a worker can run out of time. Then the source text is shown with a note.
        const isRead = (html: string): boolean => !html.includes('class="note"');
        fc.pre(isRead(whole) && isRead(shownIn(element)));
        expect(shownIn(element)).toBe(whole);

        const other = document.createElement("div");
        const showGrowing = createMarkdownView(other);
        let grown: GrowingText = growing("");
        at = 0;
        for (const size of sizes) {
          grown = longer(grown, text.slice(at, (at += size)));
          await showGrowing(grown, false);
        }
        await showGrowing(longer(grown, text.slice(at)), false);
        await showGrowing(text, true);
        fc.pre(isRead(shownIn(other)));
        expect(shownIn(other)).toBe(whole);
      }),
      { numRuns: 300 },
    );
  });

  test("what is selected in it stays selected, and the cursor stands at its end", async () => {
    const show = createMarkdownView(root);
    await show("one\n\n- two\n- three **four** fi", false);
    const words = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
      node.nodeValue === "four" ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
    );
    const four = words.nextNode();
    if (four === null) throw new Error("the word is not there");
    getSelection()?.selectAllChildren(four);
    getSelection()?.setBaseAndExtent(four, 1, four, 3);
    await show("one\n\n- two\n- three **four** five", false);
    await show("one\n\n- two\n- three **four** five\n- six", false);
    expect(getSelection()?.toString()).toBe("ou");
    expect(root.querySelector("li:last-child > .cursor:last-child")).not.toBeNull();
    expect(root.querySelectorAll(".cursor")).toHaveLength(1);
  });

  test("the cursor stands still while the text grows, and blinks when it waits", async () => {
    const show = createMarkdownView(root);
    const isStill = () => root.querySelector(".cursor")?.classList.contains("still");
    await show("one", false);
    await show("one two", false);
    expect(isStill()).toBe(true);
    await expect.poll(isStill, { timeout: 5_000 }).toBe(false);
    await show("one two three", false);
    expect(isStill()).toBe(true);
  });

  test("code in a list keeps its buttons at work after more has come", async () => {
    const show = createMarkdownView(root);
    const lines = Array.from({ length: 40 }, (_, nth) => `  line ${nth}`).join("\n");
    await show(`- a\n  \`\`\`\n${lines}`, false);
    await show(`- a\n  \`\`\`\n${lines}\n  last\n  \`\`\`\n- b`, true);
    root.querySelector<HTMLButtonElement>(".show-all")?.click();
    expect(root.querySelector("pre")?.textContent).toMatch(/line 39\nlast$/);
  });
});

describe("a text that takes too long to read", () => {
  const many = 20_000;

  test("is plain up to the next empty line; a note says so, and nothing of it is lost", async () => {
    const flood = "*a **a ".repeat(many).trimEnd();
    await createMarkdownView(root)(`# Head\n\n${flood}\n\nthen **words**`, true);
    expect(root.querySelector("h3")?.textContent).toBe("Head");
    expect(root.querySelectorAll(".note")).toHaveLength(1);
    expect(root.querySelector(".plain")?.textContent).toBe(`${flood}\n\n`);
    expect(Array.from(root.querySelectorAll("strong"), (strong) => strong.textContent)).toEqual(["words"]);
  });

  test("a heap of marks on one letter is plain, in short pieces, also where it is short", async () => {
    const heap = `a${"\u0301".repeat(6_000)}`;
    await createMarkdownView(root)(`${heap}\n\nthen **words**`, true);
    const pieces = Array.from(root.querySelectorAll(".piece"), (piece) => piece.textContent);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(8_192);
    expect(pieces.length).toBeGreaterThan(5);
    expect(root.querySelectorAll("strong")).toHaveLength(1);
  });

  test("with many of these, the rest is plain", async () => {
    const flood = "[".repeat(80_000);
    await createMarkdownView(root)(Array(5).fill(flood).join("\n\n"), true);
    expect(root.querySelectorAll(".note")).toHaveLength(3);
    expect(Array.from(root.querySelectorAll(".plain"), (plain) => plain.textContent).join("")).toBe(Array(5).fill(flood).join("\n\n"));
  });

  test("where it is only long, it is read in the worker, and shows the same whether it came at once or grew", async () => {
    const text = `| a | b |\n|---|---|\n${"| c **d** | [e] |\n".repeat(300)}\n1. f\n${"1. g\n".repeat(900)}\n[e]: https://a.example/\n`;
    await createMarkdownView(root)(text, true);
    expect(root.querySelectorAll("td strong")).toHaveLength(300);
    expect(root.querySelectorAll("td a")).toHaveLength(300);
    expect(root.querySelectorAll("li")).toHaveLength(901);
    const grown = document.createElement("div");
    const show = createMarkdownView(grown);
    for (let at = 0; at < text.length; at += 3_000) await show(text.slice(0, at), false);
    await show(text, true);
    expect(shownIn(grown)).toBe(shownIn(root));
  });

  test("a long one is shown in steps, and in its order", async () => {
    const text = Array.from({ length: 3_000 }, (_, nth) => `Words ${nth}.`).join("\n\n");
    const whole = createMarkdownView(root)(text, true);
    expect(root.querySelectorAll("p").length).toBeLessThan(3_000);
    await whole;
    expect(Array.from(root.querySelectorAll("p"), (each) => each.textContent)).toEqual(text.split("\n\n"));
  });
});

test("an order that a worker does not end is given up, and another worker does the next one", async () => {
  const script = "onmessage = ({ data }) => { if (data.hang) for (;;); postMessage({ id: data.id, said: data.say }); }";
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  interface Order {
    readonly id: number;
    readonly hang: boolean;
    readonly say: string;
  }
  const order = limitedWorker<Order, { readonly id: number; readonly said: string }>(
    () => new Worker(url),
    2_000,
    () => true,
  );
  const ask = (hang: boolean, say: string) =>
    new Promise((done) =>
      order(
        (id) => ({ id, hang, say }),
        (answer) => done(answer?.said ?? null),
      ),
    );
  expect(await Promise.all([ask(false, "one"), ask(true, "two"), ask(false, "three")])).toEqual(["one", null, "three"]);
});

describe("sheets that are full", () => {
  const text = Array.from({ length: 120 }, (_, nth) => `## ${nth}\n\n${"word ".repeat(100)}`).join("\n\n");
  const resting = () => root.querySelectorAll(".rests").length;

  test("rest, all but the last, and nothing becomes higher or lower by that; in another width too", async () => {
    const style = document.createElement("style");
    style.textContent = ".sheet-test > div { display: flow-root } .sheet-test > .rests { content-visibility: auto }";
    document.head.append(style);
    root.className = "sheet-test";
    const show = createMarkdownView(root);
    await show(text.slice(0, 30_000), false);
    await show(text, false);
    const height = root.offsetHeight;
    const full = root.children.length - 1;
    expect(full).toBeGreaterThan(5);
    await expect.poll(resting).toBe(full);
    expect(root.offsetHeight).toBe(height);
    root.style.width = "300px";
    await expect.poll(() => root.offsetHeight).toBeGreaterThan(height * 1.5);
    await expect.poll(resting).toBe(full);
    const narrow = root.offsetHeight;
    for (const sheet of root.children) sheet.classList.remove("rests");
    expect(root.offsetHeight, "as high as when everything is drawn").toBe(narrow);
    style.remove();
  });
});
