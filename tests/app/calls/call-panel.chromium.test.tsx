// The panel for requests that wait for the person: choices stay, keys work, and each request is shown once.
import type { Component } from "solid-js";
import { createRoot, createSignal } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { soon } from "../../soon.ts";
import { createDecisions } from "../../../src/app/calls/decide.ts";
import type { CallView, PutDialogBody } from "../../../src/protocol/index.ts";
import askStyle from "../../../src/app/style/ask.css?inline";
import baseStyle from "../../../src/app/style/base.css?inline";
import callStyle from "../../../src/app/style/call.css?inline";
import exactStyle from "../../../src/app/style/exact.css?inline";
import severalStyle from "../../../src/app/style/several.css?inline";
import colours from "../../../src/app/style/tokens.css?inline";

// The parser of commands is a separate worker with its own tests.
vi.mock("../../../src/app/calls/command-parts.ts", () => ({ commandParts: async () => [] }));

/** Most tests don't wait as long as a person needs. A number that is read anew each time. */
const wait = vi.hoisted(() => ({ startled: 30, valueOf: () => wait.startled }));
vi.mock("../../../src/app/calls/startled.ts", () => ({ startled: wait }));

for (const text of [colours, baseStyle, callStyle, askStyle, severalStyle, exactStyle]) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}

interface PanelProps extends Record<string, unknown> {
  readonly calls: readonly CallView[];
}
/** Imported through Vite: this folder has file names that differ only in case, which TypeScript rejects in one program. */
const files = import.meta.glob("../../../src/app/calls/CallPanel.tsx");
const module = await files["../../../src/app/calls/CallPanel.tsx"]?.();
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the panel's own type.
const CallPanel = Reflect.get(module as object, "CallPanel") as Component<PanelProps>;

const call = (id: string, tool: string, input: CallView["input"]): CallView => ({
  id,
  tool,
  input,
  state: "pending",
  started: null,
  allowedBy: null,
  result: null,
  hash: `hash-${id}`,
  before: null,
});
const ls = call("ls", "run_command", { command: "ls node_modules/a_b" });
const write = call("write", "write_file", { path: "src/a_b.txt", content: "short\n" });
const edit = call("edit", "edit_file", { path: "poem.txt", old_string: "red", new_string: "blue" });
const long = call("long", "write_file", {
  path: "long.txt",
  content: Array.from({ length: 200 }, (_, index) => `line ${index + 1} of the file`).join("\n"),
});

let sent: PutDialogBody[] = [];
/** Why the engine refuses decisions; null if it accepts them. */
let refusal: string | null = null;
let dispose = () => {};
beforeEach(() => {
  sent = [];
  refusal = null;
  vi.stubGlobal("fetch", async (_: unknown, init?: RequestInit) => {
    if (init?.method === "PUT" && typeof init.body === "string") sent.push(JSON.parse(init.body));
    if (init?.method === "PUT" && refusal !== null) return Response.json({ error: refusal }, { status: 409 });
    return Response.json({ ok: true, key: "set" });
  });
});
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
});

/** Waits for a state, never for a fixed time. */
const until = (isSo: () => boolean) => soon(() => expect(isSo()).toBe(true));

function show(calls: readonly CallView[], reasons: Readonly<Record<string, string>> = {}, outside: string | null = null) {
  document.body.replaceChildren();
  const pane = document.createElement("div");
  pane.className = "dialog-pane";
  pane.style.cssText = "display: flex; flex-direction: column; height: 800px; width: 700px";
  document.body.append(pane);
  const [now, setNow] = createSignal(calls);
  /** Messages reported after the panel was closed. */
  const left: string[] = [];
  let leaves = 0;
  const end = render(
    () => (
      <CallPanel
        dialogId="d"
        calls={now()}
        reasons={new Map(Object.entries(reasons))}
        providerKey={{ provider: "claude", changes: () => 0, ready: async () => true }}
        outside={outside}
        onSending={() => undefined}
        failed={(problem: string) => left.push(problem)}
        leave={() => leaves++}
      />
    ),
    pane,
  );
  dispose = () => end();
  const panel = () => {
    const found = pane.querySelector<HTMLElement>(".ask");
    if (found === null) throw new Error("there is no panel");
    return found;
  };
  const nth = (index: number) => {
    const found = panel().querySelectorAll<HTMLElement>(".ask-call")[index];
    if (found === undefined) throw new Error(`there is no call ${index + 1}`);
    return found;
  };
  return {
    pane,
    panel,
    nth,
    setCalls: setNow,
    left,
    leaves: () => leaves,
    button: (name: string) => Array.from(panel().querySelectorAll("button")).find(({ textContent }) => textContent.startsWith(name)),
    choose: (index: number, word: "Approve" | "Deny") => {
      const label = Array.from(nth(index).querySelectorAll(".choice label")).find(({ textContent }) => textContent === word);
      label?.querySelector("input")?.click();
    },
    explainOnly: (reason: string) => {
      const field = panel().querySelector<HTMLInputElement>(".reason input");
      if (field === null) throw new Error("there is no field for the reason");
      field.value = reason;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    },
    explain: (index: number, reason: string) => {
      const field = nth(index).querySelector("textarea");
      if (field === null) throw new Error("there is no field for a reason");
      field.value = reason;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    },
  };
}

/** Presses a key until it takes effect: keys are ignored for a moment after the main button has changed. */
async function press(target: Element | null, key: string, hasDone: () => boolean) {
  await until(() => {
    if (!hasDone()) target?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    return hasDone();
  });
}

const filled = (panel: HTMLElement) => {
  const probe = document.createElement("i");
  probe.style.background = "var(--ai)";
  panel.append(probe);
  const ink = getComputedStyle(probe).backgroundColor;
  probe.remove();
  return Array.from(panel.querySelectorAll("button")).filter((button) => getComputedStyle(button).backgroundColor === ink);
};

describe("a click that was meant for what was there before", () => {
  afterEach(() => {
    wait.startled = 30;
  });

  test.each([
    ["nothing", []],
    ["another call", [write]],
    ["several calls", [write, edit]],
  ])("approves nothing where there was %s", async (_, before) => {
    const p = show(before);
    if (before.length > 0) await until(() => p.button("Approve")?.disabled === false);
    wait.startled = 200;
    const since = performance.now();
    p.setCalls([ls]);
    await until(() => p.button("Approve")?.disabled === false);
    expect(performance.now() - since).toBeGreaterThanOrEqual(190);
    p.button("Approve")?.click();
    await until(() => sent.length > 0);
    expect(sent.map(({ decisions }) => decisions)).toEqual(["əəə\nls: approve\nəəə"]);
  });

  test("leaves the keyboard in the panel when the focused button is disabled", async () => {
    const p = show([ls, write]);
    await until(() => p.button("Approve all")?.disabled === false);
    p.button("Approve all")?.focus();
    wait.startled = 60_000;
    p.setCalls([ls]);
    await until(() => p.button("Approve")?.disabled === true);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    expect(document.activeElement).toBe(p.panel());
  });

  test("is not waited for again when more becomes known of the same call", async () => {
    const p = show([ls]);
    await until(() => p.button("Approve")?.disabled === false);
    wait.startled = 60_000;
    p.setCalls([{ ...ls, patterns: [["command ls *"]] }]);
    await until(() => p.panel().textContent.includes("ls *"));
    expect(p.button("Approve")?.disabled).toBe(false);
  });
});

describe("several calls", () => {
  test("a reason for one denial leaves the other choices, and all of them are sent together", async () => {
    const { choose, explain, button, panel } = show([ls, write, edit]);
    await until(() => button("Approve all")?.disabled === false);
    choose(0, "Approve");
    choose(1, "Deny");
    explain(1, "Not in this folder.");
    choose(2, "Approve");
    expect(panel().querySelectorAll(":checked")).toHaveLength(3);
    button("Submit decisions")?.click();
    await until(() => sent.length > 0);
    expect(sent).toEqual([
      {
        dialogId: "d",
        decisions: "əəə\nls: approve\nwrite: deny\nedit: approve\nəəə",
        hashes: { ls: "hash-ls", write: "hash-write", edit: "hash-edit" },
        prompt: "Not in this folder.",
        mentions: [],
      },
    ]);
  });

  test("what is denied need not be read; the rest is approved with one click", async () => {
    const { choose, button } = show([ls, long]);
    await until(() => button("Show next") !== undefined);
    choose(1, "Deny");
    await until(() => button("Approve the rest and submit")?.disabled === false);
    button("Approve the rest and submit")?.click();
    await until(() => sent.length > 0);
    expect(sent[0]?.decisions).toBe("əəə\nls: approve\nlong: deny\nəəə");
  });

  test("one button is filled: until all was in view it shows the next call, unfolding it; the one that can't be pressed is not", async () => {
    const { button, panel, nth } = show([ls, long, edit]);
    await until(() => button("Show next") !== undefined);
    expect(button("Approve all")?.disabled).toBe(true);
    expect(filled(panel()).map(({ textContent }) => textContent)).toEqual([button("Show next")?.textContent]);
    // A long file shows its beginning and its end at first.
    expect(nth(1).textContent).toContain("line 1 of the file");
    expect(nth(1).textContent).toContain("line 200 of the file");
    expect(nth(1).textContent).toContain("176 lines hidden");
    await until(() => {
      button("Show next")?.click();
      return button("Approve all")?.disabled === false;
    });
    expect(nth(1).textContent).toContain("line 100 of the file");
    expect(filled(panel())).toEqual([button("Approve all")]);
  });

  test("each call stands there once, below the agent's reason for it", async () => {
    const { nth, panel, button } = show([ls, write], { ls: "I look **first**.", write: "Then I write." });
    await until(() => button("Approve all")?.disabled === false);
    const times = (text: string) => panel().textContent.split(text).length - 1;
    expect([times("ls node_modules/a_b"), times("src/a_b.txt")]).toEqual([1, 1]);
    await until(() => nth(0).querySelector(".why strong")?.textContent === "first");
    expect(nth(1).querySelector(".why")?.textContent).toContain("Then I write.");
    const reason = nth(1).querySelector(".why");
    expect(reason?.compareDocumentPosition(nth(1).querySelector(".ask-input") ?? reason)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  test("what becomes known of a call a moment later takes nothing away: what has to be read is still said", async () => {
    const { setCalls, button } = show([ls, long]);
    setCalls([ls, { ...long, before: "line 1 of the file" }]);
    await until(() => button("Show next") !== undefined);
  });

  test("rows stay, with how far they were scrolled, when it becomes known what would always allow them", async () => {
    const { setCalls, nth, panel } = show([ls, long]);
    await until(() => nth(1).querySelector(".loading") === null);
    const rows = [nth(0), nth(1)];
    const inputs = rows.map((row) => row.querySelector(".ask-input"));
    setCalls([
      { ...ls, patterns: [["command ls *"]] },
      { ...long, before: "line 1 of the file", patterns: [["writes *"]] },
    ]);
    await until(() => panel().textContent.includes("ls *"));
    expect([nth(0), nth(1)]).toEqual(rows);
    expect([nth(0), nth(1)].map((row, index) => row === rows[index] && row.querySelector(".ask-input") === inputs[index])).toEqual([
      true,
      true,
    ]);
  });

  test("a call that reads otherwise has no choice any more, the others keep theirs", async () => {
    const { choose, button, setCalls, nth } = show([ls, write]);
    await until(() => button("Approve all")?.disabled === false);
    choose(0, "Approve");
    choose(1, "Approve");
    setCalls([ls, { ...write, hash: "other", input: { path: "b.txt", content: "" } }]);
    expect([0, 1].map((index) => nth(index).querySelector(":checked") !== null)).toEqual([true, false]);
  });
});

describe("keys", () => {
  test.each([
    ["the panel itself", ".ask", "Enter", "ls: approve"],
    ["what is asked for", ".ask-input", "Enter", "ls: approve"],
    ["a box to check", "[type=checkbox]", "Enter", "ls: approve"],
    ["what is asked for", ".ask-input", "d", "ls: deny"],
    ["a button", ".buttons button:last-child", "d", "ls: deny"],
  ])("are heard on %s (%s): %s", async (_, selector, key, expected) => {
    const { pane, button } = show([ls]);
    await until(() => button("Approve")?.disabled === false);
    await press(pane.querySelector(selector), key, () => sent.length > 0);
    expect(sent[0]?.decisions).toContain(expected);
  });

  test("W asks for the reason; what is typed there is text", async () => {
    const { pane, button } = show([ls]);
    await until(() => button("Approve")?.disabled === false);
    await press(pane.querySelector(".ask-input"), "w", () => pane.querySelector(".reason input") !== null);
    for (const key of ["a", "d", "Enter"]) {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      pane.querySelector(".reason input")?.dispatchEvent(event);
      expect(event.defaultPrevented).toBe(false);
    }
    expect(sent).toEqual([]);
  });

  test("Enter on a button is that button's", async () => {
    const { pane, button } = show([ls]);
    await until(() => button("Approve")?.disabled === false);
    // By now the panel accepts keys.
    await press(pane.querySelector(".ask-input"), "a", () => pane.querySelector("[type=checkbox]:checked") !== null);
    const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
    button("Deny")?.dispatchEvent(event);
    expect([event.defaultPrevented, sent.length]).toEqual([false, 0]);
  });
});

describe("editing the arguments", () => {
  const type = (field: HTMLTextAreaElement | undefined, text: string) => {
    if (field === undefined) throw new Error("there is no field");
    field.value = text;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  };
  const fields = (element: HTMLElement) => Array.from(element.querySelectorAll<HTMLTextAreaElement>(".edit-call textarea"));

  test("what was typed is approved in place of the agent's, and the button says so", async () => {
    const p = show([edit]);
    await until(() => p.button("Approve")?.disabled === false);
    p.button("Edit…")?.click();
    await until(() => fields(p.panel()).length === 3);
    expect(fields(p.panel()).map(({ value }) => value)).toEqual(["poem.txt", "red", "blue"]);
    type(fields(p.panel())[2], "green");
    await until(() => p.button("Approve with changes") !== undefined);
    p.button("Approve with changes")?.click();
    await until(() => sent.length === 1);
    expect(sent[0]?.changes).toEqual({ edit: { path: "poem.txt", old_string: "red", new_string: "green" } });
  });

  test("the command can be changed whatever stands before it", async () => {
    const others = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`a${at}`, "x"]));
    const p = show([call("many", "run_command", { ...others, command: "rm a" })]);
    await until(() => p.button("Edit…") !== undefined);
    p.button("Edit…")?.click();
    await until(() => fields(p.panel()).length === 50);
    expect(fields(p.panel())[0]?.value).toBe("rm a");
    expect(p.panel().querySelector(".edit-call")?.textContent).toContain("31 more arguments stay as they are.");
    type(fields(p.panel())[0], "rm b");
    await until(() => {
      p.button("Show rest")?.click();
      return p.button("Approve with changes")?.disabled === false;
    });
    p.button("Approve with changes")?.click();
    await until(() => sent.length === 1);
    expect(sent[0]?.changes).toEqual({ many: { ...others, command: "rm b" } });
  });

  test("a text with CRLF keeps its line ends", async () => {
    const p = show([call("crlf", "write_file", { path: "a.bat", content: "dir\r\npause\r\n" })]);
    await until(() => p.button("Approve")?.disabled === false);
    p.button("Edit…")?.click();
    await until(() => fields(p.panel()).length === 2);
    type(fields(p.panel())[1], `${fields(p.panel())[1]?.value}exit\n`);
    p.button("Approve with changes")?.click();
    await until(() => sent.length === 1);
    expect(sent[0]?.changes).toEqual({ crlf: { path: "a.bat", content: "dir\r\npause\r\nexit\r\n" } });
  });

  test("what an agent outside Vibey would always allow is not offered, nor sent, for other arguments than its own", async () => {
    const p = show([{ ...call("out", "Bash", { command: "ls" }), rules: ["allow Bash(ls) in session"] }], {}, "claude-code");
    await until(() => p.button("Approve")?.disabled === false && p.panel().querySelector(".always input") !== null);
    p.panel().querySelector<HTMLInputElement>(".always input")?.click();
    p.button("Edit…")?.click();
    await until(() => fields(p.panel()).length === 1);
    type(fields(p.panel())[0], "rm x");
    await until(() => p.panel().querySelector(".always") === null);
    p.button("Approve with changes")?.click();
    await until(() => sent.length === 1);
    expect(sent[0]?.changes).toEqual({ out: { command: "rm x" } });
    expect(sent[0]).not.toHaveProperty("always");
  });

  test("what was approved is what stood there then, whatever is typed until it is sent", async () => {
    let proceed = () => {};
    const isReady = new Promise<void>((resolve) => (proceed = resolve));
    const asked = { ...edit, rules: ["allow edit_file in session"] };
    const decisions = createRoot((end) => {
      dispose = end;
      return createDecisions(
        () => "d",
        () => [asked],
        () => undefined,
        () => isReady,
        () => undefined,
      );
    });
    decisions.markRead(asked);
    decisions.edits.type(asked, "new_string", "green");
    decisions.approveRest();
    decisions.edits.type(asked, "new_string", "yellow");
    decisions.setLike(asked, 0);
    proceed();
    await until(() => sent.length === 1);
    expect(sent[0]?.changes).toEqual({ edit: { ...edit.input, new_string: "green" } });
    expect(sent[0]).not.toHaveProperty("always");
  });

  test("Deny denies, whatever was chosen for the call while others were beside it, and sends no reason that is not on the screen", async () => {
    const [calls, setCalls] = createSignal<readonly CallView[]>([ls, write]);
    const decisions = createRoot((end) => {
      dispose = end;
      return createDecisions(
        () => "d",
        calls,
        () => undefined,
        async () => undefined,
        () => undefined,
      );
    });
    decisions.choose(ls, "approve");
    decisions.askReason(ls);
    decisions.explain(ls, "half a reas");
    decisions.askReason(null);
    setCalls([ls]);
    expect(decisions.chosen(ls)).toBeNull();
    expect(await decisions.denyRest()).toBe(true);
    expect(sent[0]?.decisions).toContain("ls: deny");
    expect(JSON.stringify(sent[0])).not.toContain("half a reas");
    expect(await decisions.denyRest("nothing is left")).toBe(false);
    expect(sent).toHaveLength(1);
  });

  test("discarded, or typed back, the agent's own arguments are approved", async () => {
    const p = show([ls]);
    await until(() => p.button("Approve")?.disabled === false);
    p.button("Edit…")?.click();
    await until(() => fields(p.panel()).length === 1);
    type(fields(p.panel())[0], "rm x");
    p.button("Discard edits")?.click();
    await until(() => fields(p.panel()).length === 0);
    p.button("Approve")?.click();
    await until(() => sent.length === 1);
    expect(sent[0]).not.toHaveProperty("changes");
  });

  test("what is no JSON can't be approved, and can be denied", async () => {
    const p = show([call("odd", "run_command", { command: "ls", seconds: 5 })]);
    await until(() => p.button("Approve")?.disabled === false);
    p.button("Edit…")?.click();
    await until(() => fields(p.panel()).length === 2);
    type(fields(p.panel())[1], "five");
    await until(() => p.button("Approve")?.disabled === true);
    expect(p.panel().textContent).toContain("isn't valid JSON");
    type(fields(p.panel())[1], "6");
    await until(() => p.button("Approve with changes")?.disabled === false);
  });

  test("of several calls each has its own", async () => {
    const p = show([ls, write]);
    await until(() => p.button("Approve all")?.disabled === false);
    Array.from(p.nth(1).querySelectorAll("button"))
      .find(({ textContent }) => textContent === "Edit…")
      ?.click();
    await until(() => fields(p.nth(1)).length === 2);
    type(fields(p.nth(1))[1], "longer\n");
    p.button("Approve all")?.click();
    await until(() => sent.length === 1);
    expect(sent[0]?.changes).toEqual({ write: { path: "src/a_b.txt", content: "longer\n" } });
  });
});

describe("the focus, when the panel goes", () => {
  const denial = async (p: ReturnType<typeof show>, focus: (panel: HTMLElement) => HTMLElement | null | undefined) => {
    await until(() => p.button("Approve")?.disabled === false);
    p.button("Deny with a reason")?.click();
    await until(() => document.activeElement === p.pane.querySelector(".reason input"));
    p.explainOnly("Not in this folder.");
    focus(p.panel())?.focus();
    p.button("Deny and send")?.click();
    await until(() => sent.length === 1);
  };

  test("is led on after a reason that was typed", async () => {
    const p = show([ls]);
    await denial(p, (panel) => panel.querySelector("input"));
    expect([p.leaves(), document.activeElement]).toEqual([1, document.body]);
  });

  test("stays where it is outside of the panel", async () => {
    const p = show([ls]);
    const other = document.createElement("button");
    document.body.append(other);
    await denial(p, () => other);
    expect([p.leaves(), document.activeElement]).toEqual([0, other]);
  });
});

describe("a decision that is not taken", () => {
  const field = (pane: HTMLElement) => pane.querySelector<HTMLInputElement>(".reason input");
  async function explain(p: ReturnType<typeof show>) {
    await until(() => p.button("Approve")?.disabled === false);
    p.button("Deny with a reason")?.click();
    p.explainOnly("Not in this folder.");
    p.button("Deny and send")?.click();
    await until(() => sent.length === 1);
  }

  test("gives the reason back, which is sent when it is sent again", async () => {
    refusal = "The engine is busy.";
    const p = show([ls]);
    await explain(p);
    await until(() => p.pane.textContent.includes("The engine is busy."));
    expect(field(p.pane)?.value).toBe("Not in this folder.");
    refusal = null;
    p.button("Deny and send")?.click();
    await until(() => sent.length === 2);
    expect(sent.map(({ prompt }) => prompt)).toEqual(["Not in this folder.", "Not in this folder."]);
  });

  test("and a reason that is given up is not sent with a denial without one", async () => {
    refusal = "The engine is busy.";
    const p = show([ls]);
    await explain(p);
    await until(() => field(p.pane) !== null);
    field(p.pane)?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    await until(() => p.button("Deny") !== undefined && field(p.pane) === null);
    p.button("Deny")?.click();
    await until(() => sent.length === 2);
    expect(sent[1]).not.toHaveProperty("prompt");
  });

  test("is said as long as its calls wait, and not above the next ones", async () => {
    refusal = "The engine is busy.";
    const p = show([ls]);
    await until(() => p.button("Approve")?.disabled === false);
    p.button("Deny")?.click();
    await until(() => p.pane.textContent.includes("The engine is busy."));
    p.setCalls([ls, write]);
    await until(() => p.button("Deny all") !== undefined);
    expect(p.pane.textContent).toContain("The engine is busy.");
    p.setCalls([write]);
    await until(() => p.button("Deny all") === undefined);
    expect(p.pane.textContent).not.toContain("The engine is busy.");
  });

  test("is told where its panel has gone, as after a stop", async () => {
    refusal = "You stopped the agent.";
    const p = show([ls]);
    await until(() => p.button("Approve")?.disabled === false);
    p.button("Approve")?.click();
    p.setCalls([]);
    await until(() => p.left.length === 1);
    expect(p.left).toEqual(["Your decision wasn't saved: You stopped the agent."]);
  });

  test("is told to a person who has left", async () => {
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => (answer = resolve));
    const p = show([ls]);
    await until(() => p.button("Approve")?.disabled === false);
    vi.stubGlobal("fetch", async () => {
      await isAnswered;
      return Response.json({ error: "The engine is busy." }, { status: 409 });
    });
    p.button("Deny")?.click();
    dispose();
    answer();
    await until(() => p.left.length === 1);
    expect(p.left[0]).toContain("The engine is busy.");
  });
});
