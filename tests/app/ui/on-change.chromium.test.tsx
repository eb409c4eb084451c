import { createRoot, createSignal, onCleanup } from "solid-js";
import { expect, test } from "vitest";
import { createProviderChoice } from "../../../src/app/dialogs/provider-choice.ts";
import { onChange } from "../../../src/app/ui/on-change.ts";

interface Head {
  readonly id: string;
  readonly cost: number;
}

test.each([
  [undefined, ["a", "b"]],
  [{ defer: true }, ["b"]],
])("a value runs it once, however often the object it is read from is replaced (%j)", (options, expected) => {
  const ran: string[] = [];
  const cleaned: string[] = [];
  createRoot((dispose) => {
    const [head, setHead] = createSignal<Head>({ id: "a", cost: 0 });
    onChange(
      () => head().id,
      (id) => {
        ran.push(id);
        onCleanup(() => cleaned.push(id));
      },
      options,
    );
    queueMicrotask(() => {
      setHead({ id: "a", cost: 1 });
      setHead({ id: "b", cost: 1 });
      setHead({ id: "b", cost: 2 });
      expect(ran).toEqual(expected);
      expect(cleaned).toEqual(expected.slice(0, -1));
      dispose();
    });
  });
  return Promise.resolve();
});

test("of several values, one that differs runs it, with all of them now and before", async () => {
  const ran: unknown[] = [];
  const [head, setHead] = createSignal<Head>({ id: "a", cost: 0 });
  const dispose = createRoot((end) => {
    onChange([() => head().id, () => head().cost > 1], (now, before) => void ran.push([now, before]));
    return end;
  });
  await Promise.resolve();
  setHead({ id: "a", cost: 1 });
  setHead({ id: "a", cost: 2 });
  expect(ran).toEqual([
    [["a", false], undefined],
    [
      ["a", true],
      ["a", false],
    ],
  ]);
  dispose();
});

test("the model that the user has picked stays while the dialog goes on, until the dialog has another", async () => {
  const first = { dialogId: "d", provider: "claude", model: "one" };
  const [head, setHead] = createSignal(first);
  const { choice, dispose } = createRoot((end) => ({ choice: createProviderChoice(head, () => 0), dispose: end }));
  await Promise.resolve();
  choice.chooseModel("two");
  setHead({ ...first });
  expect(choice.model()).toBe("two");
  setHead({ ...first, model: "three" });
  expect(choice.model()).toBe("three");
  dispose();
});
