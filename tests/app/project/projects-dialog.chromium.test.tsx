import { render } from "solid-js/web";
import { afterEach, expect, test, vi } from "vitest";
import { ProjectsDialog } from "../../../src/app/project/ProjectsDialog.tsx";
import { addProject, projects } from "../../../src/app/project/projects.ts";

let dispose = () => {};
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
  localStorage.clear();
  document.body.replaceChildren();
});

const button = (row: Element | undefined, text: string) =>
  Array.from(row?.querySelectorAll("button") ?? []).find((one) => one.textContent === text);
const rows = () => Array.from(document.querySelectorAll(".projects > li"));
const rowOf = (name: string) => rows().find(({ textContent }) => textContent?.includes(name));

test("after a rename and a deletion by keyboard the focus stays in the list, and the rows stay", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ ok: true }));
  for (const [id, name] of [
    ["aaaaaaaaaaaa", "A garden"],
    ["bbbbbbbbbbbb", "A house"],
  ] as const)
    addProject({ id, name });
  dispose = render(() => <ProjectsDialog close={() => {}} changed={() => {}} />, document.body);
  const garden = rowOf("A garden");
  button(garden, "Rename…")?.click();
  const input = await vi.waitUntil(() => document.querySelector<HTMLInputElement>("input[name=name]"));
  input.focus();
  input.value = "An orchard";
  input.form?.requestSubmit();
  await expect.poll(() => garden?.textContent).toContain("An orchard");
  expect(document.activeElement).toBe(button(garden, "Rename…"));

  const last = rows().at(-1);
  const before = rows().at(-2);
  button(last, "Delete…")?.click();
  const forGood = await vi.waitUntil(() =>
    Array.from(last?.querySelectorAll("button") ?? []).find((one) => one.textContent?.includes("permanently")),
  );
  forGood.focus();
  forGood.click();
  await expect.poll(() => rows().at(-1)).toBe(before);
  expect(document.activeElement).toBe(button(before, "Rename…"));
  expect(projects()).toHaveLength(2);
});
