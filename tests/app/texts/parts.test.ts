import { createComponent } from "solid-js";
import { renderToString } from "solid-js/web";
import { runnerImport } from "vite";
import solid from "vite-plugin-solid";
import { beforeAll, expect, test } from "vitest";
import type { Part } from "../../../src/app/texts/part.ts";

type Component = (props: { of: readonly Part<string>[]; slots?: Record<string, (text: string) => string> }) => never;
let Parts: Component;

beforeAll(async () => {
  const { module } = await runnerImport<{ Parts: Component }>("./src/app/texts/Parts.tsx", {
    configFile: false,
    plugins: [solid({ ssr: true, solid: { hydratable: false } })],
  });
  Parts = module.Parts;
});

const shown = (of: readonly Part<string>[], slots: Record<string, (text: string) => string> = {}) =>
  renderToString(() => createComponent(Parts, { of, slots })).replaceAll("<!--!$-->", "");

test("strings and elements stand in their order, with their spaces", () => {
  expect(shown(["Opens ", { code: "a b.js" }, " beside the dialog."])).toBe("Opens <code>a b.js</code> beside the dialog.");
});

test("each kind has its element", () => {
  expect(shown([{ code: "a" }, { strong: "b" }, { em: "c" }, { kbd: "d" }])).toBe("<code>a</code><strong>b</strong><em>c</em><kbd>d</kbd>");
});

test("a slot is made by the component, from the sentence's text", () => {
  const slots = { link: (text: string) => `[${text}]`, field: (text: string) => `(${text})` };
  expect(shown([{ slot: "field" }, " and ", { slot: "link", text: "the guide" }], slots)).toBe("() and [the guide]");
});

test("what a sentence quotes is text and no markup", () => {
  expect(shown([{ code: "<img src=x>" }, { strong: "&amp;" }])).toBe("<code>&lt;img src=x></code><strong>&amp;amp;</strong>");
});

test("a slot that nothing makes is a mistake", () => {
  expect(() => renderToString(() => createComponent(Parts, { of: [{ slot: "link" }] }))).toThrow("nothing makes the slot link");
});
