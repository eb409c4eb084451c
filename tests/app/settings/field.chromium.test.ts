// A field of the settings and its stored value: whichever comes first, typed text stays.
import { createRoot, createSignal } from "solid-js";
import { afterEach, expect, test } from "vitest";
import { createField, type Field } from "../../../src/app/settings/field.ts";

let dispose = () => {};
afterEach(() => dispose());

function open(): { readonly field: Field; readonly store: (text: string) => void } {
  return createRoot((end) => {
    dispose = end;
    const [stored, setStored] = createSignal<string>();
    return { field: createField(stored), store: (text) => void setStored(text) };
  });
}

test("it shows what is stored once that is known", () => {
  const { field, store } = open();
  expect(field.value()).toBe("");
  store("https://a.example");
  expect(field.value()).toBe("https://a.example");
});

test("what was typed before the stored value arrived stays, and so does what was typed after it", () => {
  const { field, store } = open();
  field.type("http://localhost:11434");
  store("https://a.example");
  expect(field.value()).toBe("http://localhost:11434");
  field.type("");
  store("https://b.example");
  expect(field.value()).toBe("");
});

test("once it is saved it follows what is stored, and never shows the old value again", () => {
  const { field, store } = open();
  store("old");
  field.type(" new ");
  field.saved(" new ", "new");
  expect(field.value()).toBe("new");
  store("new");
  expect(field.value()).toBe("new");
  store("from another tab");
  expect(field.value()).toBe("from another tab");
});

test("what was typed while it was being saved stays", () => {
  const { field, store } = open();
  field.type("one");
  field.type("one two");
  field.saved("one", "one");
  store("one");
  expect(field.value()).toBe("one two");
});
