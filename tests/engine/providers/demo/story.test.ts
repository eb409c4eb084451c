import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Dialog } from "../../../../src/dialog/model.ts";
import { nextStep } from "../../../../src/engine/providers/demo/demo.ts";
import { facePrompt } from "../../../../src/engine/providers/demo/face.ts";
import { rules } from "../../../../src/engine/providers/demo/game/files.ts";
import { systemPrompt } from "../../../../src/engine/prompt/system.ts";
import { add, type Fate, field, keyOf, lastText, type PlayOptions, play, story, user } from "./play.ts";

const whole = "read game index+page mend tidy launch";
const names = (played: { files: ReadonlyMap<string, string> }) => [...played.files.keys()].filter((path) => !path.startsWith("vibey/"));

describe("the first agent", () => {
  test("builds the game when everything is allowed", () => {
    const played = play();
    expect(story(played)).toBe(whole);
    expect(names(played)).toEqual(["game.js", "index.html", "page.js"]);
    expect(played.files.get("game.js")).toBe(rules);
    expect(lastText(played)).toContain("Open the preview and play");
  });

  test("says first of all that it is scripted", () => {
    expect(play().turns[0]?.step.text).toMatch(/^I'm a scripted demo: there's no model behind me/);
    expect(play().turns[1]?.step.text).not.toContain("scripted demo");
  });

  test("names the project as the doc does, and so does the page that it writes", () => {
    const played = play({ files: [["vibey/doc-main.md", "\n# Noughts & <b>crosses</b>\n"]] });
    expect(played.turns[1]?.step.text).toContain("“Noughts & <b>crosses</b>”");
    expect(played.files.get("index.html")).toContain("<h1>Noughts &amp; &lt;b&gt;crosses&lt;/b&gt;</h1>");
  });

  test("takes the name from its instructions when it may not read", () => {
    const played = play({
      fate: (n) => (n === 0 ? "no" : "yes"),
      system: systemPrompt({ agent: null, memory: null, main: "# From the system", docs: ["doc-look.md"], sandbox: "A shell." }),
    });
    expect(played.files.get("index.html")).toContain("<h1>From the system</h1>");
  });

  test("says that a doc has no title", () => {
    const played = play({ files: [["vibey/doc-main.md", "Two players."]] });
    expect(played.turns[1]?.step.text).toContain("It has no title");
    expect(played.files.get("index.html")).toContain("<h1>Tic-tac-toe</h1>");
  });

  test("says so when it is about to replace a file", () => {
    const played = play({
      files: [
        ["vibey/doc-main.md", "# Without a last line end"],
        ["game.js", "mine"],
      ],
    });
    expect(played.turns[1]?.step.text).toContain("“Without a last line end”");
    expect(played.turns[1]?.step.text).toContain("There's already a `game.js`");
  });

  test.each<[string, Record<number, Fate>, string]>([
    ["reading", { 0: "no" }, "read/no game index+page mend tidy launch"],
    ["the rules", { 1: "no" }, "read game/no single tidy launch"],
    ["one of the two pages", { 2: "no" }, "read game index/no+page mend single tidy launch"],
    ["the other", { 3: "no" }, "read game index+page/no mend single tidy launch"],
    ["the edit", { 4: "no" }, "read game index+page mend/no tidy launch"],
    ["the deletion", { 5: "no" }, "read game index+page mend tidy/no launch"],
    ["the second agent", { 6: "no" }, "read game index+page mend tidy launch/no paint"],
    ["the second agent and its work", { 6: "no", 7: "no" }, "read game index+page mend tidy launch/no paint/no"],
    ["the rules and the other way", { 1: "no", 2: "no" }, "read game/no single/no"],
  ])("respects a no to %s", (_what, fates, expected) => {
    expect(story(play({ fate: (n) => fates[n] ?? "yes" }))).toBe(expected);
  });

  test.each<[string, Record<number, Fate>, string]>([
    ["a write, once", { 1: "fail" }, "read game/fail game index+page mend tidy launch"],
    ["a write, always", { 1: "fail", 2: "fail" }, "read game/fail game/fail single tidy launch"],
    ["one write of two", { 3: "fail" }, "read game index+page/fail page mend tidy launch"],
    ["a write, its result lost", { 1: "lost" }, "read game/lost game index+page mend tidy launch"],
    ["the edit", { 4: "fail" }, "read game index+page mend/fail look anew tidy launch"],
    ["the launch", { 6: "fail" }, "read game index+page mend tidy launch/fail paint"],
  ])("goes on after a failure of %s", (_what, fates, expected) => {
    expect(story(play({ fate: (n) => fates[n] ?? "yes" }))).toBe(expected);
  });

  test("quotes the error that it reacts to", () => {
    expect(play({ fate: (n) => (n === 1 ? "fail" : "yes") }).turns[2]?.step.text).toMatch(/the disk is full\.\n\nI'll try once more\.$/);
  });

  test("reads a file again that somebody changed, and writes it anew", () => {
    const played = play({ meddle: (call, files) => call.name === "edit_file" && files.set("game.js", "// mine now") });
    expect(story(played)).toBe("read game index+page mend look anew tidy launch");
    expect(played.files.get("game.js")).toBe(rules);
  });

  test("leaves the file alone when it was fixed already", () => {
    const fixed = rules.replace("// The rules", "// My rules");
    const played = play({ meddle: (call, files) => call.name === "edit_file" && files.set("game.js", fixed) });
    expect(story(played)).toBe("read game index+page mend look tidy launch");
    expect(played.files.get("game.js")).toBe(fixed);
  });

  test("never writes over a file that it was not allowed to read again", () => {
    const fates: Record<number, Fate> = { 4: "fail", 5: "no" };
    expect(story(play({ fate: (n) => fates[n] ?? "yes" }))).toBe("read game index+page mend/fail look/no tidy launch");
  });
});

describe("the human's words", () => {
  test.each([1, 2, 3, 4, 5, 6])("in between, before answer %i, are passed over politely", (at) => {
    const played = play({ word: (n) => (n === at ? "What is the weather?" : null) });
    expect(story(played)).toBe(whole);
    expect(played.turns[at]?.step.text).toContain("I'm a script, so I can't answer that");
  });

  test("after a denial are its reason, not a question", () => {
    const played = play({ fate: (n) => (n === 5 ? "no" : "yes"), word: (n) => (n === 5 ? "because I said so" : null) });
    expect(played.turns[5]?.step.text).toMatch(/^You said no\. Nothing was deleted/);
    expect(played.turns[5]?.step.text).not.toContain("can't answer");
  });

  test.each(["wait", "Stop!", "please wait a moment", "hold on"])("%s: it waits, and goes on when spoken to", (word) => {
    const played = play({ word: (n) => (n === 3 ? word : n === 4 ? "go on" : null) });
    expect(story(played).replace(/ +/g, " ")).toBe(whole);
    expect(played.turns[3]?.step).toMatchObject({ calls: [], text: expect.stringMatching(/\n\n> Waiting: Should I continue\?$/) });
  });

  test("'again' after a denial is the one way to be asked the same thing twice", () => {
    const played = play({ fate: (n) => (n === 1 ? "no" : "yes"), word: (n) => (n === 2 ? "Ask me again, please." : null) });
    expect(story(played)).toBe("read game/no game index+page mend tidy launch");
    expect(new Set(idsOf(played.dialog)).size).toBe(idsOf(played.dialog).length);
  });

  test("'again' after the end without a game starts it after all", () => {
    const fates: Record<number, Fate> = { 1: "no", 2: "no" };
    const played = play({ fate: (n) => fates[n] ?? "yes", word: (n) => (n === 4 ? "again" : null) });
    expect(played.turns[3]?.step.text).toMatch(/\n\n> Waiting: .*\*again\*.*$/);
    expect(story(played).replace(/ +/g, " ")).toBe("read game/no single/no single tidy launch");
  });

  test("after the end are answered with what a script can do, and with the way to a real model", () => {
    const played = play({ word: (n) => (n >= 7 && n <= 9 ? "And now a chess, please." : null) });
    for (const turn of played.turns.slice(7)) expect(turn.step.text).toMatch(/^That's the end of my script.*API key/);
  });

  test("at the very beginning need not have to do with the story", () => {
    expect(story(play({ prompt: "How do I bake bread? Wait, again." }))).toBe(whole);
  });
});

describe("the second agent", () => {
  const files = [
    ["vibey/doc-look.md", "# The look\n\nInk on paper, and the marks in Teal or plum.\n"],
    ["index.html", "<!doctype html>\n<head>\n  </head>"],
  ] as const;

  test("reads, writes the style in the doc's colour, and links it where it is not linked", () => {
    const played = play({ prompt: facePrompt("index.html"), files });
    expect(story(played)).toBe("see style link");
    expect(played.files.get("style.css")).toContain("--marks: teal;");
    expect(played.files.get("index.html")).toContain('<link rel="stylesheet" href="style.css">');
  });

  test("has nothing to link in the page that the first agent wrote", () => {
    const built = play();
    expect(story(play({ prompt: facePrompt("index.html"), files: built.files }))).toBe("see style");
  });

  test("is launched with a prompt by which it is known", () => {
    const launch = play()
      .turns.flatMap(({ step }) => step.calls)
      .find((call) => call.name === "launch_agent");
    expect(launch?.input).toMatchObject({ provider: "demo", model: "scripted", slug: "style-the-page" });
    expect(story(play({ prompt: field(launch?.input ?? {}, "prompt") }))).toMatch(/^see style/);
  });

  test.each<[string, Record<number, Fate>, string]>([
    ["reading", { 0: "no" }, "see/no style"],
    ["writing", { 1: "no" }, "see style/no"],
    ["the link", { 2: "no" }, "see style link/no"],
  ])("respects a no to %s", (_what, fates, expected) => {
    expect(story(play({ prompt: facePrompt("index.html"), files, fate: (n) => fates[n] ?? "yes" }))).toBe(expected);
  });
});

describe("an answer depends on the dialog alone", () => {
  test("the same dialog gives the same answer, whatever was asked between", () => {
    const { dialog } = play();
    for (let length = 1; length <= dialog.sections.length; length++) {
      const cut: Dialog = { ...dialog, sections: dialog.sections.slice(0, length) };
      const first = nextStep(cut, "");
      nextStep(dialog, "");
      expect(nextStep(structuredClone(cut), "")).toEqual(first);
    }
  });

  test("an answer that was stopped half-way is given again", () => {
    const { dialog } = play();
    const asked: Dialog = { ...dialog, sections: dialog.sections.slice(0, 3) };
    const stopped = add(
      asked,
      {
        role: "assistant",
        head: [],
        parts: [
          { kind: "text", text: "Now the" },
          { kind: "meta", lines: [{ key: "Stop", value: "aborted" }] },
        ],
      },
      user("go on"),
    );
    expect(nextStep(stopped, "").calls).toEqual(nextStep(asked, "").calls);
  });

  test("a call that nobody has decided is waited for", () => {
    const { dialog } = play({ most: 60 });
    const section = dialog.sections[1];
    if (!section) throw new Error("no section");
    const open = section.parts.map((part) =>
      part.kind === "call" ? { ...part, call: { ...part.call, decision: null, result: undefined } } : part,
    );
    const step = nextStep({ ...dialog, sections: [user("Start."), { ...section, parts: open }] }, "");
    expect(step).toMatchObject({ calls: [], text: expect.stringMatching(/> Waiting: OK to go ahead\?$/) });
  });

  test("goes on in a dialog that another provider began", () => {
    const foreign: Dialog = {
      format: 1,
      head: [],
      parts: [],
      sections: [
        user("Write a poem."),
        {
          role: "assistant",
          head: [],
          parts: [
            { kind: "call", call: { id: "toolu_1", name: "run_command", input: {}, decision: "denied", started: null, result: undefined } },
          ],
        },
        user("No."),
      ],
    };
    expect(nextStep(foreign, "").calls.map(keyOf)).toEqual(["read"]);
    expect(nextStep({ ...foreign, sections: [] }, "").calls.map(keyOf)).toEqual(["read"]);
  });
});

describe("laws, whatever becomes of the calls and whatever the human writes", () => {
  const plays: fc.Arbitrary<PlayOptions> = fc
    .record({
      prompt: fc.constantFrom("Please start.", facePrompt("index.html"), facePrompt("play.html")),
      fates: fc.array(fc.constantFrom<Fate>("yes", "yes", "no", "fail", "lost"), { maxLength: 24 }),
      words: fc.array(fc.constantFrom(null, null, "hm", "wait", "Why?"), { maxLength: 12 }),
      stolen: fc.array(fc.boolean(), { maxLength: 24 }),
    })
    .map(({ prompt, fates, words, stolen }) => {
      let run = 0;
      return {
        prompt,
        fate: (n) => fates[n] ?? "yes",
        word: (n) => words[n - 1] ?? null,
        meddle: (_call, files) => {
          if (stolen[run++] && files.has("game.js")) files.set("game.js", "// changed");
        },
      };
    });

  test("the play ends", () => {
    fc.assert(
      fc.property(plays, (options) => play({ ...options, most: 40 }).turns.length <= 40),
      { numRuns: 500 },
    );
  });

  test("it ends with nothing asked: done, or a question as the last line", () => {
    fc.assert(
      fc.property(plays, (options) => {
        const played = play(options);
        const text = lastText(played);
        expect(played.turns.at(-1)?.step.calls).toEqual([]);
        expect(/My part is done|end of my script|new dialog|> Waiting: [^\n]+$/.test(text)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("what was denied is never asked for again in the same words", () => {
    fc.assert(
      fc.property(plays, (options) => {
        const denied = new Set<string>();
        for (const { step, fates } of play(options).turns) {
          for (const [at, call] of step.calls.entries()) {
            const words = JSON.stringify([call.name, call.input]);
            expect(denied.has(words)).toBe(false);
            if (fates[at]?.endsWith(":no")) denied.add(words);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test("no id is used twice, and no answer is empty", () => {
    fc.assert(
      fc.property(plays, (options) => {
        const played = play(options);
        const ids = idsOf(played.dialog);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { step } of played.turns) expect(step.text.trim()).not.toBe("");
      }),
      { numRuns: 300 },
    );
  });
});

function idsOf(dialog: Dialog): string[] {
  return dialog.sections.flatMap((section) => section.parts.flatMap((part) => (part.kind === "call" ? [part.call.id] : [])));
}
