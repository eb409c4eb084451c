import { render } from "solid-js/web";
import { afterEach, expect, test, vi } from "vitest";
import type { CopyAnswer } from "../../../src/protocol/index.ts";
import { StorageSettings } from "../../../src/app/storage/StorageSettings.tsx";

let dispose = () => {};
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

test("a backup that can't be read is told, and read with a click", async () => {
  let isBroken = true;
  const copy: CopyAnswer = { kept: { at: 1_000, bytes: 5_000 }, trouble: null, damaged: [], earlier: [] };
  let asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked++;
    return isBroken ? Response.json({ error: "It broke." }, { status: 500 }) : Response.json(copy);
  });
  dispose = render(() => <StorageSettings />, document.body);
  await expect.poll(() => document.querySelector("[role=alert]")?.textContent).toBe("Couldn't check for a backup: It broke.");
  const again = Array.from(document.querySelectorAll("button")).find((one) => one.textContent === "Try again");
  again?.focus();
  again?.click();
  await expect.poll(() => asked).toBe(2);
  expect(document.activeElement).toBe(again);
  isBroken = false;
  again?.click();
  await expect.poll(() => document.body.textContent).toContain("Backup saved");
  expect(document.querySelector("[role=alert]")).toBeNull();
  expect(document.activeElement?.textContent).toBe("Storage");

  isBroken = true;
  Array.from(document.querySelectorAll("button"))
    .find((one) => one.textContent === "Download backup")
    ?.click();
  await expect.poll(() => document.querySelector("[role=alert]")?.textContent).toMatch(/^Couldn't download the backup: /);
});
