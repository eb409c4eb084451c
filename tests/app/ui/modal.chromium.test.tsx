import type { JSX } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, expect, test } from "vitest";
import { Modal } from "../../../src/app/ui/Modal.tsx";

let dispose = () => {};
afterEach(() => {
  dispose();
  document.body.replaceChildren();
});

function show(children: () => JSX.Element): Element | null {
  dispose = render(
    () => (
      <Modal title="A title" close={() => undefined}>
        {children()}
      </Modal>
    ),
    document.body,
  );
  return document.activeElement;
}
const named = (id: string) => document.getElementById(id);
const dialog = () => document.querySelector("dialog");

test("the first useful control has the focus, and not the cross", () => {
  expect(
    show(() => (
      <>
        <p>Words.</p>
        <button type="button" disabled>
          Not yet
        </button>
        <input id="first" />
        <button type="button">Go</button>
      </>
    )),
  ).toBe(named("first"));
});

test("one that names itself has it", () => {
  expect(
    show(() => (
      <>
        <button type="button">Go</button>
        <input id="own" autofocus />
      </>
    )),
  ).toBe(named("own"));
});

test("where there is none, or one has to scroll to it, the dialog has it: what it says is read first", () => {
  expect(show(() => <p>Words.</p>)).toBe(dialog());
  dispose();
  const far = show(() => (
    <>
      <p style={{ height: "3000px" }}>Words.</p>
      <button type="button">Go</button>
    </>
  ));
  expect([far, document.querySelector(".modal-body")?.scrollTop, dialog()?.scrollTop]).toEqual([dialog(), 0, 0]);
});
