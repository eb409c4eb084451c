import { readFileSync } from "node:fs";
import { Script } from "node:vm";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const world = new Script(`const window = { previewParts: [], get length() { return 0; } };
    class MutationObserver { observe() {} }
    class Element { remove() {} attachShadow() {} hasAttribute() {} }
    class Document { open() {} querySelectorAll() {} }
    class DocumentFragment { querySelectorAll() {} }
    class NodeList { get length() { return 0; } }
    const document = new Document();
    ${readFileSync("public/preview/page/frames.js", "utf8")}
    const kit = {};
    window.previewParts[0](kit);
    kit.refuseFrames();
    kit.withoutShadowTrees`);

/** A new filter for written texts, as at the start of a page in the preview. */
function filter(): (text: string) => string {
  return world.runInNewContext() as (text: string) => string;
}

/** A written text. A script in it writes other texts, which the parser reads before the rest. */
interface Written {
  readonly before: string;
  readonly inside: readonly Written[];
  readonly after: string;
}

const name = "shadowrootmode";
const piece = fc
  .tuple(fc.nat(name.length - 1), fc.integer({ min: 1, max: name.length }), fc.constantFrom("", "", "", "=", "x", ">", "<"))
  .map(([from, count, end]) => name.slice(from, from + count) + end);

/** Texts that the parser reads as these pieces, one after the other. */
function writtenAs(pieces: readonly string[], cut: (most: number) => number): Written[] {
  const all: Written[] = [];
  for (let at = 0; at < pieces.length; ) {
    const mine = pieces.slice(at, at + 1 + cut(pieces.length - at - 1));
    at += mine.length;
    const [first, second] = [cut(mine.length), cut(mine.length)].toSorted((a, b) => a - b) as [number, number];
    const inner = mine.slice(first, second);
    const inside = inner.length > 0 && inner.length < mine.length ? writtenAs(inner, cut) : [];
    if (inside.length === 0) all.push({ before: mine.join(""), inside, after: "" });
    else all.push({ before: `${mine.slice(0, first).join("")}<script></script>`, inside, after: mine.slice(second).join("") });
  }
  return all;
}

test("law: in whatever order pieces of the name are written, the parser never reads it whole", () => {
  let whole = 0;
  const isWhole = (text: string) => text.toLowerCase().includes(name);
  const pieces = fc.oneof(
    fc.array(piece, { maxLength: 6 }),
    fc.uniqueArray(fc.integer({ min: 1, max: name.length - 1 }), { maxLength: 4 }).map((cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), name.length];
      return places.slice(1).map((to, at) => name.slice(places[at], to));
    }),
  );
  fc.assert(
    fc.property(pieces, fc.array(piece, { maxLength: 3 }), fc.infiniteStream(fc.nat(1_000)), (parts, others, numbers) => {
      const cut = (most: number) => (numbers.next().value ?? 0) % (most + 1);
      const without = filter();
      const texts = writtenAs(parts, cut);
      const read = new Map<Written, string>();
      // A script runs once its own text is written. After that any of the waiting texts may come next, mixed with texts written to no document.
      const waiting: Written[][] = [[...texts]];
      while (waiting.length > 0) {
        const other = others[cut(others.length)];
        if (other !== undefined && cut(3) === 0) without(other);
        const at = cut(waiting.length - 1);
        const next = waiting[at]?.shift();
        if (waiting[at]?.length === 0) waiting.splice(at, 1);
        if (next === undefined) continue;
        read.set(next, without(next.before + next.after));
        if (next.inside.length > 0) waiting.push([...next.inside]);
      }
      const parsed = (all: readonly Written[], of: (one: Written) => string): string =>
        all
          .map((one) => {
            const text = of(one);
            const at = one.inside.length === 0 ? text.length : text.lastIndexOf("</script>") + "</script>".length;
            return text.slice(0, at) + parsed(one.inside, of) + text.slice(at);
          })
          .join("");
      if (isWhole(parsed(texts, ({ before, after }) => before + after))) whole++;
      expect(isWhole(parsed(texts, (one) => read.get(one) ?? ""))).toBe(false);
    }),
    { numRuns: 400 },
  );
  // Without the filter the parser would often read the whole name, so the law isn't empty.
  expect(whole).toBeGreaterThan(100);
});

test("texts that hold none of it stay as they are, letter by letter too", () => {
  const without = filter();
  for (const text of ["<p>", "s", "h", "o", "e", "modes of shadows", "<b>root</b>", "mode=", "</script>", "The end."])
    expect(without(text)).toBe(text);
  expect(without("<template ShadowRootMode=open>")).toBe("<template ShadowRootMod-e=open>");
});
