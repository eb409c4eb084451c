import { afterEach, expect, test, vi } from "vitest";
import { currentProject } from "../../../src/app/model/current-project.ts";

afterEach(() => vi.unstubAllGlobals());

function storage() {
  const kept = new Map<string, string>();
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
}

test("a tab keeps its project, whatever another one opens meanwhile; a new tab begins with that", () => {
  const local = storage();
  vi.stubGlobal("localStorage", local);
  vi.stubGlobal("sessionStorage", storage());
  expect(currentProject()).toBe("");
  local.setItem("vibey project", "abcdefghijkl");
  expect(currentProject()).toBe("");
  vi.stubGlobal("sessionStorage", storage());
  expect(currentProject()).toBe("abcdefghijkl");
});
