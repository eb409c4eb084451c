import { createSignal } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, expect, test } from "vitest";
import { PriceTable } from "../../../src/app/cost/PriceTable.tsx";
import type { PriceView } from "../../../src/protocol/index.ts";

let dispose = () => {};
afterEach(() => {
  dispose();
  document.body.replaceChildren();
});

const price = (model: string, input: number): PriceView => ({
  origin: "https://api.example",
  model,
  input,
  output: 2,
  cacheRead: null,
  cacheWrite: null,
});

test("a price that is being typed stays while the prices are read again, and so does the focus", () => {
  const [rows, setRows] = createSignal<readonly PriceView[]>([price("small", 1), price("large", 3)]);
  dispose = render(
    () => (
      <PriceTable
        name="Prices"
        rows={rows()}
        edited={({ model }) => (model === "small" ? <input /> : null)}
        actions={({ model }) => <button type="button">{model}</button>}
      />
    ),
    document.body,
  );
  const [field, button] = [document.querySelector("input"), document.querySelector("button")];
  if (field === null || button === null) throw new Error("no row is edited");
  field.value = "0.5";
  button.focus();
  setRows([price("new", 1), price("small", 1), price("large", 3)]);
  expect(document.querySelectorAll("tbody tr").length).toBe(3);
  expect(document.querySelector("input")).toBe(field);
  expect(document.activeElement).toBe(button);

  // Another tab has changed its price.
  setRows([price("small", 7), price("large", 4)]);
  expect(document.querySelectorAll("tbody tr").length).toBe(2);
  expect(document.querySelector("input")).toBe(field);
  expect(document.querySelector("tbody tr:last-child")?.textContent).toContain("$4.00");
});
