import { render } from "solid-js/web";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reloadWhenReplaced } from "../../../src/app/pwa/reload.ts";
import { offerUpdate, setWorking } from "../../../src/app/pwa/update.ts";
import UpdateNotice from "../../../src/app/pwa/UpdateNotice.tsx";

let page: HTMLElement;
let done: (() => void)[] = [];
let reloads = 0;
let applied = 0;
/** Simulates that a newer version has taken over, at the request of any tab. */
let replace = () => {};

beforeEach(() => {
  page = document.createElement("div");
  document.body.replaceChildren(page);
  [reloads, applied] = [0, 0];
  const container = new EventTarget();
  replace = () => container.dispatchEvent(new Event("controllerchange"));
  const reload = () => void reloads++;
  done = [reloadWhenReplaced(container, () => true, reload), render(() => <UpdateNotice />, page)];
});
afterEach(() => {
  for (const end of done) end();
  offerUpdate(null);
  setWorking(false);
});

const button = (name: string) => [...page.querySelectorAll("button")].find(({ textContent }) => textContent === name);

test("a newer version is offered, and not while agents work here", () => {
  offerUpdate({ apply: () => applied++ });
  expect([page.textContent, button("Update")?.disabled]).toEqual(["Update available.Update×", false]);
  setWorking(true);
  expect([page.textContent, button("Update")?.disabled]).toEqual(["Update available. Install it when your agents are done.Update×", true]);
  setWorking(false);
  button("Update")?.click();
  expect([applied, reloads, button("Updating…")?.disabled]).toEqual([1, 0, true]);
});

test("a tab whose agents are idle is reloaded at once", () => {
  replace();
  expect(reloads).toBe(1);
});

test("a tab whose agents work when another tab takes the newer version says so, and is reloaded when they are done", () => {
  offerUpdate({ apply: () => applied++ });
  button("×")?.click();
  setWorking(true);
  replace();
  expect(reloads).toBe(0);
  expect(page.textContent).toBe("Vibey was updated in another tab. This tab reloads when its agents are done.Reload now");
  setWorking(false);
  expect([reloads, applied]).toEqual([1, 0]);
});

test("and at once when the user says so", () => {
  setWorking(true);
  replace();
  button("Reload now")?.click();
  expect(reloads).toBe(1);
});

test("the first service worker of all reloads nothing", () => {
  const container = new EventTarget();
  done.push(
    reloadWhenReplaced(
      container,
      () => false,
      () => void reloads++,
    ),
  );
  container.dispatchEvent(new Event("controllerchange"));
  expect(reloads).toBe(0);
  container.dispatchEvent(new Event("controllerchange"));
  expect(reloads).toBe(1);
});
