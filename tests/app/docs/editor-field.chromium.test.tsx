/** The field for a doc before the editor's code has loaded: a plain field, unless laying out the text would take the browser about a second. */
import { createSignal } from "solid-js";
import { render } from "solid-js/web";
import { expect, test, vi } from "vitest";
import { Editor } from "../../../src/app/docs/Editor.tsx";

const [problem, setProblem] = createSignal<string | null>(null);
const { loadEditor } = vi.hoisted(() => ({ loadEditor: vi.fn() }));
/** The editor's code never loads here. */
vi.mock("../../../src/app/docs/editor-mount.ts", () => ({ editorMounter: () => null, editorProblem: () => problem(), loadEditor }));

const nowhere = { hrefOf: () => null, hasDoc: () => true };

function open(text: string) {
  const [value, setValue] = createSignal(text);
  const root = document.createElement("div");
  document.body.append(root);
  const dispose = render(
    () => (
      <Editor
        file="doc-a.md"
        label="a"
        look="prose"
        laws={false}
        surroundings={nowhere}
        value={value()}
        onInput={setValue}
        changed={() => undefined}
        save={() => undefined}
        mounted={() => undefined}
      />
    ),
    root,
  );
  return {
    field: () => root.querySelector("textarea"),
    value,
    close() {
      dispose();
      root.remove();
    },
  };
}

const long = "a\n".repeat(500_000);

test("a short text is in a field at once, and what is put into the field stays in it, however long", () => {
  const opened = open("One line.\n");
  const field = opened.field();
  expect(field?.value).toBe("One line.\n");
  if (field === null) throw new Error("there is no field");
  field.value = long;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  expect([opened.value().length, opened.field()]).toEqual([long.length, field]);
  expect(loadEditor).not.toHaveBeenCalled();
  opened.close();
});

test("a long text is in none: the editor's code is fetched at once. Where it can't be had, it is in a field", async () => {
  const opened = open(long);
  expect(opened.field()).toBe(null);
  await expect.poll(() => loadEditor.mock.calls.length).toBe(1);
  setProblem("no code");
  expect(opened.field()?.value.length).toBe(long.length);
  opened.close();
});
