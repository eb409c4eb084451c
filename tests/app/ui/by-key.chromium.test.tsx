import { createSignal } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, expect, test } from "vitest";
import { ByKey } from "../../../src/app/ui/ByKey.tsx";
import { Sidebar } from "../../../src/app/ui/Sidebar.tsx";

let dispose = () => {};
const page = document.body.appendChild(document.createElement("main"));
afterEach(() => dispose());

test("a row keeps its element and its focus while its key is in the list, and shows what is new", () => {
  const [items, setItems] = createSignal([
    { id: "a", text: "one" },
    { id: "b", text: "two" },
  ]);
  dispose = render(
    () => (
      <ByKey each={items()} by={({ id }) => id}>
        {(item, index) => (
          <button type="button">
            {index()} {item().text}
          </button>
        )}
      </ByKey>
    ),
    page,
  );
  const second = page.querySelectorAll("button")[1];
  second?.focus();
  setItems([
    { id: "c", text: "new" },
    { id: "b", text: "TWO" },
  ]);
  expect(Array.from(page.querySelectorAll("button"), (button) => button.textContent)).toEqual(["0 new", "1 TWO"]);
  expect(page.querySelectorAll("button")[1]).toBe(second);
  expect(document.activeElement).toBe(second);
});

test("the focused link of the sidebar stays when its row becomes the current one", () => {
  const [current, setCurrent] = createSignal("");
  const row = (key: string) => ({
    key,
    href: `#/${key}`,
    title: key,
    hint: key,
    side: "",
    note: "",
    mark: "none" as const,
    current: current() === key,
    remove: null,
  });
  dispose = render(() => <Sidebar label="Dialogs" head="" empty="" groups={[{ title: "All", rows: [row("a"), row("b")] }]} />, page);
  const link = page.querySelector<HTMLElement>('a[href="#/b"]');
  link?.focus();
  setCurrent("b");
  expect(page.querySelector('a[aria-current="page"]')).toBe(link);
  expect(document.activeElement).toBe(link);
});
