import { createSignal, Show, Suspense } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, expect, test } from "vitest";
import { lazyPart } from "../../../src/app/ui/lazy-part.tsx";

let dispose = () => {};
const page = document.body.appendChild(document.createElement("main"));
afterEach(() => dispose());

test("two places show one part: the second waits, and shows it, also when the first goes before the code is there", async () => {
  const code = Promise.withResolvers<{ default: (props: { text: string }) => string }>();
  const Part = lazyPart(() => code.promise);
  const [first, setFirst] = createSignal(true);
  dispose = render(
    () => (
      <>
        <Show when={first()}>
          <Suspense fallback="waits">
            <Part text="one" />
          </Suspense>
        </Show>
        <Suspense fallback="waits">
          <Part text="two" />
        </Suspense>
      </>
    ),
    page,
  );
  expect(page.textContent).toBe("waitswaits");
  setFirst(false);
  expect(page.textContent).toBe("waits");
  code.resolve({ default: ({ text }) => text });
  await Part.preload();
  await expect.poll(() => page.textContent).toBe("two");
  setFirst(true);
  expect(page.textContent).toBe("onetwo");
});

test("a part that can't be had says so, and is loaded when it is shown again", async () => {
  let isOnline = false;
  const Part = lazyPart<object>(async () => {
    if (!isOnline) throw new Error("no network");
    return { default: () => "the part" };
  });
  const [shown, setShown] = createSignal(true);
  dispose = render(
    () => (
      <Show when={shown()}>
        <Suspense>
          <Part />
        </Suspense>
      </Show>
    ),
    page,
  );
  await expect.poll(() => page.querySelector("[role=alert]")?.textContent).toContain("no network");
  isOnline = true;
  setShown(false);
  setShown(true);
  await expect.poll(() => page.textContent).toBe("the part");
});
