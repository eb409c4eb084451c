import { expect, test } from "vitest";
import { createNotices } from "../../../src/app/ui/notices.ts";

test("equal news is told once, and what can be undone keeps its way back beside equal words", () => {
  const notices = createNotices();
  const undone: string[] = [];
  const deleted = (which: string) =>
    notices.add({ message: "Deleted start.", each: true, action: { label: "Undo", run: () => undone.push(which) } });
  notices.add({ message: "An agent said this." });
  notices.add({ message: "An agent said this.", action: { label: "Look", run: () => undefined } });
  notices.add({ message: "An agent said this." });
  deleted("first");
  deleted("second");
  notices.add({ message: "Deleted start." });
  expect(notices.list().map(({ message }) => message)).toEqual([
    "An agent said this.",
    "Deleted start.",
    "Deleted start.",
    "Deleted start.",
  ]);
  notices.list()[1]?.action?.run();
  expect(undone).toEqual(["first"]);
  expect(notices.list()).toHaveLength(3);
});

test("the same words twice change what screen readers speak from, and nothing that is seen", () => {
  const notices = createNotices();
  const spoken: string[] = [];
  for (const text of ["Saved.", "Saved.", "Saved.", "Renamed."]) {
    notices.announce(text);
    spoken.push(notices.status());
  }
  expect(spoken.every((text, index) => text !== spoken[index - 1])).toBe(true);
  expect(spoken.map((text) => text.trim())).toEqual(["Saved.", "Saved.", "Saved.", "Renamed."]);
});
