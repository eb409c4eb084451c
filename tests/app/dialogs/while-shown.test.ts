import { createRoot } from "solid-js";
import { afterEach, expect, test, vi } from "vitest";
import { createDialogActions } from "../../../src/app/dialogs/dialog-actions.ts";
import { createMessageActions } from "../../../src/app/dialogs/message-actions.ts";
import { whileShown } from "../../../src/app/dialogs/while-shown.ts";
import { createDrafts } from "../../../src/app/docs/drafts.ts";
import { createNotices } from "../../../src/app/ui/notices.ts";
import { browserStorage } from "../browser-storage.ts";

afterEach(() => vi.unstubAllGlobals());

const dialogId = "20261121-201100-start";
const next = "20261121-201200-next";

/** The pane of a dialog. The engine answers when the test calls `answer`. */
function open() {
  let answer: (response: Response) => void = () => undefined;
  vi.stubGlobal("location", { hash: "" });
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
  const notices = createNotices();
  const problems: (string | null)[] = [];
  const went: string[] = [];
  const pane = createRoot((leave) => {
    const ended = whileShown({ dialogId, notices, failed: (why) => void problems.push(why), go: (id) => void went.push(id) });
    const deps = {
      ...ended,
      dialog: { slots: () => [] } as never,
      head: () => ({ dialogId, provider: "demo" }) as never,
      notices,
      drafts: createDrafts(browserStorage(), (write) => write()),
      ready: async () => true,
      active: () => false,
      stopped: () => undefined,
    };
    return { leave, message: createMessageActions(deps), whole: createDialogActions(deps) };
  });
  const told = () => notices.list().map(({ message, href }) => ({ message, href }));
  return { ...pane, answer: (response: Response) => answer(response), problems, went, told, notices };
}
type Pane = ReturnType<typeof open>;

const begun = () => Response.json({ dialogId: next });
const acts: readonly [string, (pane: Pane) => Promise<unknown>][] = [
  ["a fork", ({ message }) => message.fork(0)],
  ["a message that is sent again", ({ message }) => message.resend(0, "hello")],
  ["a new dialog", ({ whole }) => whole.continueFresh()],
  ["a summary", ({ whole }) => whole.sendSummary(next)],
];

test.each(acts)("%s leads there a person who is still here, and no one else", async (_, act) => {
  for (const leaves of [false, true]) {
    const pane = open();
    const done = act(pane);
    await Promise.resolve();
    if (leaves) pane.leave();
    await Promise.resolve();
    pane.answer(begun());
    await done;
    expect(pane.went).toEqual(leaves ? [] : [next]);
    // Someone who left isn't told that they are in a fork.
    if (leaves) expect(pane.notices.status()).toBe("");
  }
});

test("the lines of a message show to a person who is still here", async () => {
  for (const leaves of [false, true]) {
    const pane = open();
    const done = pane.message.raw(0);
    if (leaves) pane.leave();
    pane.answer(Response.json({ markdown: "" }));
    await done;
    expect(location.hash === "").toBe(leaves);
  }
});

const refused = () => Response.json({ error: "The engine is busy." }, { status: 409 });
test.each<[string, (pane: Pane) => Promise<unknown>]>([
  ["a fork", ({ message }) => message.fork(0)],
  ["a new dialog", ({ whole }) => whole.continueFresh()],
  ["a change", ({ whole }) => whole.put({ limits: { command: 5 } })],
  ["a stop", ({ whole }) => whole.stopTrying()],
  ["lines that can't be read", ({ message }) => message.raw(0)],
])("why %s failed is said in the dialog, and to a person who has left it in a notice that leads back", async (_, act) => {
  for (const leaves of [false, true]) {
    const pane = open();
    const done = act(pane);
    if (leaves) pane.leave();
    pane.answer(refused());
    await done;
    const said = leaves ? pane.told().map(({ message }) => message) : pane.problems;
    expect(said).toEqual([expect.stringContaining("The engine is busy.")]);
    expect(pane.told().map(({ href }) => href)).toEqual(leaves ? [`#/dialogs/${dialogId}`] : []);
  }
});
