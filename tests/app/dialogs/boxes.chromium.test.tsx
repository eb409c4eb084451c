// Boxes for messages: text that could not be sent comes back, and neither the focus nor another dialog's text is lost.
import { type Component, createSignal } from "solid-js";
import { createStore } from "solid-js/store";
import { render } from "solid-js/web";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { soon } from "../../soon.ts";
import { addBelow, createOutbox, draftKey } from "../../../src/app/dialogs/drafts.ts";
import { createDrafts } from "../../../src/app/docs/drafts.ts";
import { createNotices } from "../../../src/app/ui/notices.ts";
import type { MessageView } from "../../../src/protocol/index.ts";
import { browserStorage } from "../browser-storage.ts";

// Simulates that the module's code is missing: reading an export fails.
vi.mock("../../../src/app/agents/roster.ts", () => ({}));

/** Imported through Vite: these folders have file names that differ only in case, which TypeScript rejects in one program. */
const files = {
  ...import.meta.glob("../../../src/app/dialogs/{Composer,RecordMessage,RecordEnd,Leave,SideStrip,Mentions}.tsx"),
  ...import.meta.glob("../../../src/app/preview/Console.tsx"),
};
async function part(path: string, name = "default"): Promise<Component<Record<string, unknown>>> {
  const module = await files[`../../../src/app/${path}`]?.();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a component of the app
  return Reflect.get(module as object, name) as Component<Record<string, unknown>>;
}

let dispose = () => {};
/** Each function answers one request that changes something, in order. */
let answers: ((response: Response) => void)[] = [];
beforeEach(() => {
  answers = [];
  vi.stubGlobal("fetch", (_: unknown, init?: RequestInit) =>
    (init?.method ?? "GET") === "GET"
      ? Promise.resolve(Response.json({ configured: true, key: "set", baseURL: "" }))
      : new Promise<Response>((resolve) => answers.push(resolve)),
  );
});
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});
const until = (isSo: () => boolean) => soon(() => expect(isSo()).toBe(true));
const refused = () => Response.json({ error: "The engine is busy." }, { status: 409 });

const id = "20261121-201100-start";
const other = "20261121-201200-other";
const yours = (text: string): MessageView => ({ role: "user", parts: [{ kind: "text", text }] }) as never;

function box(): HTMLTextAreaElement {
  const found = document.querySelector("textarea");
  if (found === null) throw new Error("there is no box");
  return found;
}
function type(text: string) {
  box().value += text;
  box().dispatchEvent(new InputEvent("input", { bubbles: true }));
}
const click = (name: string) =>
  Array.from(document.querySelectorAll("button"))
    .find(({ textContent }) => textContent.startsWith(name))
    ?.click();

/** The composer of a dialog. The test decides the answers of `say`. */
async function composer() {
  const Composer = await part("dialogs/Composer.tsx", "Composer");
  const [slots, setSlots] = createSignal<readonly { message: () => MessageView }[]>([]);
  const [reason, setReason] = createSignal<string | null>(null);
  const replies: ((refused: string | null) => void)[] = [];
  const drafts = createDrafts(browserStorage(), (write) => write());
  const outbox = createOutbox(drafts);
  const notices = createNotices();
  const show = () => {
    const end = render(
      () => (
        <Composer
          dialog={{ slots, say: () => new Promise((resolve) => replies.push(resolve)) }}
          head={{ dialogId: id, provider: "demo", model: "", room: null }}
          reason={reason()}
          left={[]}
          drafts={drafts}
          outbox={outbox}
          notices={notices}
          providers={{ changes: () => 0, settings: () => undefined, ready: async () => true }}
          takesFocus={() => true}
          editLast={() => false}
        />
      ),
      document.body,
    );
    dispose = end;
  };
  show();
  return {
    drafts,
    notices,
    replies,
    setReason,
    says: (...texts: string[]) => setSlots(texts.map((text) => ({ message: () => yours(text) }))),
    again: () => {
      dispose();
      show();
    },
  };
}
async function send(replies: readonly unknown[]) {
  const before = replies.length;
  await until(() => document.querySelector<HTMLButtonElement>("button[type=submit]")?.disabled === false);
  click("Send");
  await until(() => replies.length === before + 1);
}

test("a text that is refused comes back into a box with words in it, and stays with the next key", async () => {
  const { replies, drafts, again } = await composer();
  type("old");
  await send(replies);
  again();
  type("new");
  replies[0]?.("No.");
  await until(() => box().value === "old\n\nnew");
  type("er");
  expect(drafts.get(draftKey(id))?.text).toBe("old\n\nnewer");
});

test("what is dropped for a dialog after its box was left stands in the box that is open now", async () => {
  const { drafts } = await composer();
  type("new");
  addBelow(drafts, id, "`a.png` is in the project.");
  await until(() => box().value === "new\n\n`a.png` is in the project.");
  type("!");
  expect(drafts.get(draftKey(id))?.text).toContain("a.png");
});

test("two messages on their way are both there when both are refused", async () => {
  const { replies, again } = await composer();
  type("old");
  await send(replies);
  again();
  type("new");
  await send(replies);
  replies[1]?.("No.");
  replies[0]?.("No.");
  await until(() => box().value.includes("old") && box().value.includes("new"));
});

test("a message that the dialog has although none answered for it is out of the box, and nothing says that it was not sent", async () => {
  const { replies, says } = await composer();
  type("hello");
  await send(replies);
  replies[0]?.("No answer.");
  await until(() => box().value === "hello" && document.body.textContent.includes("Couldn't send"));
  says("hello");
  await until(() => box().value === "" && !document.body.textContent.includes("Couldn't send"));
});

test("and neither where the dialog had it before the answer failed", async () => {
  const { replies, says } = await composer();
  type("hello");
  await send(replies);
  says("hello");
  replies[0]?.("No answer.");
  await until(() => !box().readOnly);
  expect([box().value, document.body.textContent.includes("Couldn't send")]).toEqual(["", false]);
});

test("the box keeps the focus while nothing can be written, and takes no text then", async () => {
  const { replies, setReason } = await composer();
  await until(() => document.activeElement === box());
  type("hello");
  await send(replies);
  expect([document.activeElement === box(), box().readOnly]).toEqual([true, true]);
  setReason("The agent is working.");
  replies[0]?.(null);
  await until(() => document.body.textContent.includes("The agent is working."));
  expect([document.activeElement === box(), box().readOnly]).toEqual([true, true]);
  setReason(null);
  await until(() => !box().readOnly);
  expect(document.activeElement).toBe(box());
});

test("a message to an agent outside that is taken after one has left drops no other dialog's text, and what was typed since stays", async () => {
  const RecordMessage = await part("dialogs/RecordMessage.tsx", "RecordMessage");
  const drafts = createDrafts(browserStorage(), (write) => write());
  const notices = createNotices();
  drafts.keep(draftKey(other), { text: "other", etag: null });
  const [head, setHead] = createStore({ dialogId: id, status: "active", outside: { name: "Agent", pending: 0, stopping: false } });
  dispose = render(() => <RecordMessage head={head} drafts={drafts} notices={notices} asked={false} />, document.body);
  type("hello");
  click("Send");
  await until(() => answers.length === 1);
  dispose();
  setHead("dialogId", other);
  answers[0]?.(Response.json({ ok: true }));
  await until(() => drafts.get(draftKey(id)) === null);
  expect(drafts.get(draftKey(other))?.text).toBe("other");

  setHead("dialogId", id);
  dispose = render(() => <RecordMessage head={head} drafts={drafts} notices={notices} asked={false} />, document.body);
  type("first");
  click("Send");
  await until(() => answers.length === 2);
  dispose();
  answers[1]?.(refused());
  await until(() => notices.list().length === 1);
  expect(notices.list()[0]?.message).toContain("The engine is busy.");
  expect(drafts.get(draftKey(id))?.text).toBe("first");
});

test("a message to an agent outside is on its way once, also for a box that was opened meanwhile, and leaves it", async () => {
  const RecordMessage = await part("dialogs/RecordMessage.tsx", "RecordMessage");
  const drafts = createDrafts(browserStorage(), (write) => write());
  const head = { dialogId: id, status: "active", outside: { name: "Agent", pending: 0, stopping: false } };
  const open = () => render(() => <RecordMessage head={head} drafts={drafts} notices={createNotices()} asked={false} />, document.body);
  dispose = open();
  type("hello");
  click("Send");
  await until(() => answers.length === 1);
  dispose();
  dispose = open();
  expect([box().value, box().readOnly]).toEqual(["hello", true]);
  box().dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true }));
  answers[0]?.(Response.json({ ok: true }));
  await until(() => box().value === "" && !box().readOnly);
  expect(answers).toHaveLength(1);
});

test("the box of an agent outside shows what another tab typed for it", async () => {
  const RecordMessage = await part("dialogs/RecordMessage.tsx", "RecordMessage");
  const drafts = createDrafts(browserStorage(), (write) => write());
  drafts.keep(`${draftKey(id)}\nelsewhere`, { text: "of another tab", etag: null });
  const head = { dialogId: id, status: "active", outside: { name: "Agent", pending: 0, stopping: false } };
  dispose = render(() => <RecordMessage head={head} drafts={drafts} notices={createNotices()} asked={false} />, document.body);
  expect(box().value).toBe("of another tab");
  addBelow(drafts, id, "more");
  await until(() => box().value === "of another tab\n\nmore");
});

test("a record is continued as it was when that was asked, and moves no one who has left it", async () => {
  const RecordEnd = await part("dialogs/RecordEnd.tsx");
  const notices = createNotices();
  const went: string[] = [];
  const head = { dialogId: id, status: "active", outside: { name: "Agent", framework: "codex", takesMessages: false, cwd: null } };
  for (const leaves of [false, true]) {
    const end = render(
      () => <RecordEnd head={head} messages={3} drafts={{}} notices={notices} asked={false} go={(next: string) => went.push(next)} />,
      document.body,
    );
    dispose = end;
    click("Continue here");
    await until(() => answers.length === 1);
    if (leaves) dispose();
    answers.pop()?.(leaves ? refused() : Response.json({ dialogId: other }));
    await until(() => (leaves ? notices.list().length === 1 : went.length === 1));
    dispose();
  }
  expect([went, notices.list()[0]?.href]).toEqual([[other], `#/dialogs/${id}`]);
});

test("a word for a host that the engine refused is the one before again", async () => {
  const Leave = await part("dialogs/Leave.tsx", "Leave");
  const taken = [false, true];
  const asked: unknown[] = [];
  async function put(body: unknown) {
    asked.push(body);
    return taken.shift();
  }
  const network = { allowed: [], refused: [], hosts: [{ host: "a.example", word: "GET only" }] };
  dispose = render(() => <Leave head={{ dialogId: id, authorized: [], network }} active={false} put={put} />, document.body);
  const select = document.querySelector("select");
  if (select === null) throw new Error("there is no select");
  expect(select.value).toBe("GET only");
  for (const expected of ["GET only", "any method"]) {
    select.value = "any method";
    select.dispatchEvent(new Event("change", { bubbles: true }));
    await until(() => select.value === expected);
  }
  expect(asked).toHaveLength(2);
});

test("the levels of the console that show are the ones that are chosen, also after it was empty", async () => {
  const Console = await part("preview/Console.tsx", "Console");
  const lines = [
    { level: "log", text: "hello", times: 1 },
    { level: "error", text: "broken", times: 1 },
  ];
  const [state, setState] = createSignal({ lines, errors: 1, warnings: 0, gone: 0 });
  dispose = render(() => <Console state={state()} clear={() => undefined} />, document.body);
  const select = () => document.querySelector("select");
  const choose = select();
  if (choose === null) throw new Error("there is no select");
  choose.value = "error";
  choose.dispatchEvent(new Event("change", { bubbles: true }));
  await until(() => document.querySelectorAll("li").length === 1);
  setState({ lines: [], errors: 0, warnings: 0, gone: 0 });
  await until(() => select() === null);
  setState({ lines, errors: 1, warnings: 0, gone: 0 });
  await until(() => select() !== null);
  expect([select()?.value, document.querySelectorAll("li").length]).toEqual(["error", 1]);
});

test("agents whose code could not be fetched can be added again", async () => {
  const Mentions = await part("dialogs/Mentions.tsx");
  vi.stubGlobal("fetch", async () => Response.json([]));
  const area = document.createElement("textarea");
  document.body.append(area);
  area.value = "@";
  area.setSelectionRange(1, 1);
  const end = render(
    () => <Mentions text="@" area={area} isRoom={false} write={() => undefined} mentioned={() => undefined} bindKeys={() => undefined} />,
    document.body,
  );
  dispose = end;
  const add = () => Array.from(document.querySelectorAll("button")).find(({ textContent }) => textContent.startsWith("Add"));
  await until(() => add() !== undefined);
  add()?.click();
  await until(() => document.body.textContent.includes("Couldn't add the agents"));
  expect(add()?.disabled).toBe(false);
});

test("of two agents the one that could not be stopped is named, also when the other one has stopped", async () => {
  const SideStrip = await part("dialogs/SideStrip.tsx");
  const reply = (dialogId: string) => ({ agent: "coder", dialogId, listing: { dialogId, status: "active", activity: null } });
  const messages = [{ ...yours("go"), mentions: [{ dialogId: other }], turns: { next: ["critic", "coder"] } }];
  dispose = render(
    () => (
      <SideStrip
        head={{ dialogId: id, status: "waiting", forkedFrom: null }}
        messages={messages}
        last={messages[0]}
        replies={[reply(other), reply("20261121-201300-third")]}
        resolve={() => undefined}
        discard={() => undefined}
      />
    ),
    document.body,
  );
  click("Stop");
  await until(() => answers.length === 1);
  answers[0]?.(refused());
  await until(() => answers.length === 2);
  answers[1]?.(Response.json({}));
  await until(() => document.body.textContent.includes("The engine is busy."));
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.body.textContent).toContain("The engine is busy.");
});
