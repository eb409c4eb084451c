import { describe, expect, test } from "vitest";
import { imageSource } from "../../../../src/app/docs/editor/live/images.ts";

const files = new Set(["img/a.png", "img/a b.svg", "notes.txt"]);
const source = (target: string) => imageSource(target, (path) => files.has(path));

describe("an image in a doc", () => {
  test.each([
    ["img/a.png", "img/a.png"],
    ["./img/a.png", "img/a.png"],
    ["../img/a.png", "img/a.png"],
    ["/img/a.png", "img/a.png"],
    ["img/a%20b.svg", "img/a b.svg"],
    ["data:image/png;base64,AAAA", "data:image/png;base64,AAAA"],
  ])("%s is shown", (target, shown) => expect(source(target)).toBe(shown));

  test.each([
    "https://elsewhere.example/a.png",
    "//elsewhere.example/a.png",
    "HTTP://elsewhere.example/img/a.png",
    "javascript:alert(1).png",
    "data:text/html,<p>x.png",
    "blob:https://elsewhere.example/a.png",
    "img/none.png",
    "notes.txt",
    "%E0%A4%A.png",
    `data:image/png;base64,${"A".repeat(2_000_001)}`,
  ])("%.60s is not", (target) => expect(source(target)).toBeNull());
});
