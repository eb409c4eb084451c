import { expect, test } from "vitest";
import type { DialogListing } from "../../../src/protocol/index.ts";
import { newlyWaiting, remindedOf, waitingNow } from "../../../src/app/notify/waiting.ts";

/** `a:leave b:- c:word`: dialogs and what they wait for; `-`: the dialog works. */
const listing = (notation: string): DialogListing[] =>
  notation
    .split(" ")
    .filter((part) => part !== "")
    .map((part) => {
      const [dialogId = "", waitingFor = "-"] = part.split(":");
      const works = waitingFor === "-";
      return {
        dialogId,
        filename: `dialog-${dialogId}-${works ? "active" : "waiting"}.md`,
        status: works ? "active" : "waiting",
        mtime: 0,
        activity: null,
        waitingFor: works || waitingFor === "?" ? null : waitingFor,
      } as DialogListing;
    });

test.each([
  ["", "a:leave", "a"],
  ["a:-", "a:leave", "a"],
  ["a:leave", "a:leave", ""],
  ["a:leave", "a:word", "a"],
  ["a:leave b:-", "a:- b:word c:leave", "b c"],
  ["a:leave", "", ""],
  // A dialog that was already waiting isn't news when its reason becomes known.
  ["a:?", "a:question", ""],
  ["", "a:?", "a"],
])("%j, then %j: told of %j", (before, after, told) =>
  expect(
    newlyWaiting(waitingNow(listing(before)), listing(after))
      .map(({ dialogId }) => dialogId)
      .join(" "),
  ).toBe(told),
);

test("only a request that waits is told of again, at most once a minute", () => {
  const [asking, asked] = listing("a:leave b:word");
  const dialogs = [asking, asked].flatMap((one) =>
    one
      ? [
          { ...one, asksAgain: 600 },
          { ...one, dialogId: `${one.dialogId}2`, asksAgain: 1 },
        ]
      : [],
  );
  expect([...remindedOf([...dialogs, ...listing("c:leave")])]).toEqual([
    ["a", 600_000],
    ["a2", 60_000],
  ]);
});
