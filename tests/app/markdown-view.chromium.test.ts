import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type GrowingText, growing, longer } from "../../src/app/markdown/growing.ts";
import { createMarkdownView } from "../../src/app/markdown/view.ts";

let root: HTMLElement;
beforeEach(() => {
  root = document.createElement("div");
  root.style.width = "600px";
  document.body.append(root);
});
afterEach(() => root.remove());

/** What stands in the element, without the sheets that blocks are bound into. */
const shownIn = (element: HTMLElement): string => Array.from(element.children, (sheet) => sheet.innerHTML).join("\n");

function atOnce(text: string): string {
  const other = document.createElement("div");
  createMarkdownView(other)(text, true);
  return shownIn(other);
}

describe("a text that grows", () => {
  test("a block that was taken for final, and goes on after all, is shown as it is at the end", () => {
    const text = "| a | b |\n3. d\n- [ ] t";
    const element = document.createElement("div");
    const show = createMarkdownView(element);
    for (const at of [4, 9, 11, 12, 13, 15, 16]) show(text.slice(0, at), false);
    show(text, true);
    expect(shownIn(element)).toBe(atOnce(text));
  });

  test("however it is cut, the page is the same as when it came in one piece", () => {
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
    fc.assert(
      fc.property(fc.array(word, { maxLength: 25 }), cut, (parts, sizes) => {
        const text = parts.join("\n");
        const element = document.createElement("div");
        const show = createMarkdownView(element);
        let at = 0;
        for (const size of sizes) show(text.slice(0, (at += size)), false);
        show(text, false);
        show(text, true);
        expect(shownIn(element)).toBe(atOnce(text));

        const other = document.createElement("div");
        const showGrowing = createMarkdownView(other);
        let grown: GrowingText = growing("");
        at = 0;
        for (const size of sizes) {
          grown = longer(grown, text.slice(at, (at += size)));
          showGrowing(grown, false);
        }
        showGrowing(longer(grown, text.slice(at)), false);
        showGrowing(text, true);
        expect(shownIn(other)).toBe(atOnce(text));
      }),
      { numRuns: 300 },
    );
  });

  test("what is selected in it stays selected, and the cursor stands at its end", () => {
    const show = createMarkdownView(root);
    show("one\n\n- two\n- three **four** fi", false);
    const words = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
      node.nodeValue === "four" ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
    );
    const four = words.nextNode();
    if (four === null) throw new Error("the word is not there");
    getSelection()?.selectAllChildren(four);
    getSelection()?.setBaseAndExtent(four, 1, four, 3);
    show("one\n\n- two\n- three **four** five", false);
    show("one\n\n- two\n- three **four** five\n- six", false);
    expect(getSelection()?.toString()).toBe("ou");
    expect(root.querySelector("li:last-child > .cursor:last-child")).not.toBeNull();
    expect(root.querySelectorAll(".cursor")).toHaveLength(1);
  });

  test("the cursor stands still while the text grows, and blinks when it waits", async () => {
    const show = createMarkdownView(root);
    const isStill = () => root.querySelector(".cursor")?.classList.contains("still");
    show("one", false);
    show("one two", false);
    expect(isStill()).toBe(true);
    await expect.poll(isStill, { timeout: 5_000 }).toBe(false);
    show("one two three", false);
    expect(isStill()).toBe(true);
  });

  test("code in a list keeps its buttons at work after more has come", () => {
    const show = createMarkdownView(root);
    const lines = Array.from({ length: 40 }, (_, nth) => `  line ${nth}`).join("\n");
    show(`- a\n  \`\`\`\n${lines}`, false);
    show(`- a\n  \`\`\`\n${lines}\n  last\n  \`\`\`\n- b`, true);
    root.querySelector<HTMLButtonElement>(".show-all")?.click();
    expect(root.querySelector("pre")?.textContent).toMatch(/line 39\nlast$/);
  });
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
    show(text.slice(0, 30_000), false);
    show(text, false);
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
