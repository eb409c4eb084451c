import { facePrompt } from "./face.ts";
import { firstRules, indexPage, knowsBothDiagonals, mend, onePage, page, rules } from "./game/files.ts";
import { style } from "./game/style.ts";
import { type Past, resultText, titleOf } from "./past.ts";
import type { Beat, Script } from "./script.ts";

/** The first agent's part: it builds the board and the rules, and launches the second. */
export const build: Script = {
  greeting:
    "I am a scripted demo: there is no model behind me, and nothing leaves this page. The story is fixed; what I ask for is real, and so are the files. " +
    "You decide about each request. If you say no, write me a word after it, and I go on another way.",
  beats: [
    read(),
    writeRules(),
    writePage(),
    mendRules(),
    lookAgain(),
    writeRulesAnew(),
    writeOnePage(),
    deleteLeftovers(),
    launch(),
    paint(),
  ],
  end(past) {
    const entry = entryOf(past);
    if (entry === null) {
      return "Without the files there is no game, and I ask for none of them a third time.\n\n> Waiting: Shall I try? Write *again*, or start a new dialog.";
    }
    const open = entry === "index.html" ? "Open the preview and play" : `Open \`${entry}\` in the preview and play`;
    return `The game stands. ${open}: X begins. Then change a sentence in \`doc-main.md\`, its title for example, and start a new dialog to see what an agent makes of it.`;
  },
  after:
    "My part is over. I am a script: I can build this one game, ask for leave, and take a no for an answer; I cannot read what you write, or build anything else. " +
    "For that, put your own key into the settings and choose a provider for your next message: it goes on from this very dialog. Or start a new one, and I play my part again.",
};

function isDone(past: Past, key: string): boolean {
  return past.outcome(key)?.kind === "done";
}

function errorOf(past: Past, keys: readonly string[]): string | null {
  for (const key of keys) {
    const outcome = past.outcome(key);
    if (outcome?.kind === "failed") return outcome.error;
  }
  return null;
}

function isDenied(past: Past, keys: readonly string[]): boolean {
  return keys.some((key) => past.outcome(key)?.kind === "denied");
}

/** The page to open; null while there is none that can be played. */
function entryOf(past: Past): string | null {
  if (isDone(past, "index") && isDone(past, "page") && hasRules(past)) return "index.html";
  return isDone(past, "single") ? "play.html" : null;
}

function hasRules(past: Past): boolean {
  return isDone(past, "game") || isDone(past, "anew");
}

/** The name that the doc gives the project: as it was read, else as the instructions hold it. */
function titleIn(past: Past): string | null {
  const instructions = past.system.slice(Math.max(0, past.system.indexOf("doc-main.md")));
  return titleOf(resultText(past.outcome("read"), "stdout")) ?? titleOf(instructions);
}

function read(): Beat {
  return {
    keys: ["read"],
    say: () => "First I read `doc-main.md` and look at what is here.",
    ask: () => ({ name: "run_command", input: { command: "cat vibey/doc-main.md && echo && ls" } }),
    remark(past) {
      if (isDenied(past, ["read"]))
        return "You said no, so I do not look around. `doc-main.md` is part of my instructions anyway; that has to do.";
      const error = errorOf(past, ["read"]);
      if (error !== null) return `That did not work (${error}). I go on with what my instructions say.`;
      const title = titleIn(past);
      const there = /^game\.js$/m.test(resultText(past.outcome("read"), "stdout"));
      return [
        title === null
          ? "I have read `doc-main.md`; it has no title."
          : `I have read “${title}”. It is the project's name, so the page will bear it.`,
        there ? "There is a `game.js` already: what I ask for next would replace it, and you see the difference before you decide." : "",
      ]
        .join(" ")
        .trim();
    },
  };
}

function writeRules(): Beat {
  return {
    keys: ["game"],
    again: 1,
    say: () => "The board and its rules come first. They go into `game.js`, which knows nothing of the page.",
    ask: () => ({ name: "write_file", input: { path: "game.js", content: firstRules } }),
    remark(past) {
      if (isDenied(past, ["game"])) return "You said no to `game.js`, so I leave it alone.";
      const error = errorOf(past, ["game"]);
      return error === null ? "" : `\`game.js\` could not be written: ${error}.`;
    },
  };
}

function writePage(): Beat {
  return {
    keys: ["index", "page"],
    again: 1,
    when: (past) => isDone(past, "game"),
    say: () =>
      "Now the page: `index.html` holds its words, `page.js` shows the squares. These are two requests at once; you can answer them one by one.",
    ask(past, key) {
      const [path, content] = key === "page" ? ["page.js", page] : ["index.html", indexPage(titleIn(past) ?? "Tic-tac-toe")];
      return { name: "write_file", input: { path, content } };
    },
    remark(past) {
      if (isDenied(past, ["index", "page"])) return "You said no, so the page stays unwritten as I meant it.";
      const error = errorOf(past, ["index", "page"]);
      return error === null ? "It can be played from here on: open the preview if you like." : `The page could not be written: ${error}.`;
    },
  };
}

function mendRules(): Beat {
  return {
    keys: ["mend"],
    when: (past) => isDone(past, "game"),
    say: () =>
      "Reading over `game.js` I see a mistake of mine: it speaks of two diagonals and lists one. Whoever fills the other would not win. A small edit mends it; below you see the difference.",
    ask: () => ({ name: "edit_file", input: { path: "game.js", old_string: mend.before, new_string: mend.after } }),
    remark(past) {
      if (isDenied(past, ["mend"])) return "You said no, so the mistake stays: one diagonal does not win. It is your game.";
      const error = errorOf(past, ["mend"]);
      return error === null
        ? "Now all eight lines win."
        : `The edit did not fit (${error}): perhaps somebody changed \`game.js\` meanwhile.`;
    },
  };
}

/** After an edit that failed: somebody else may have been at the file. */
function lookAgain(): Beat {
  return {
    keys: ["look"],
    when: (past) => past.outcome("mend")?.kind === "failed",
    say: () => "I read the file as it is now, before I touch it again.",
    ask: () => ({ name: "run_command", input: { command: "cat game.js" } }),
    remark(past) {
      if (isDenied(past, ["look"])) return "You said no, so I do not read it.";
      const error = errorOf(past, ["look"]);
      if (error !== null) return `It could not be read: ${error}.`;
      return knowsBothDiagonals(resultText(past.outcome("look"), "stdout"))
        ? "The second diagonal is there already, so nothing needs mending."
        : "";
    },
  };
}

function writeRulesAnew(): Beat {
  return {
    keys: ["anew"],
    again: 1,
    // Without a look at it the file may hold somebody's work, so nothing is written over it.
    when: (past) => isDone(past, "look") && !knowsBothDiagonals(resultText(past.outcome("look"), "stdout")),
    say: () =>
      "It is not the file that I wrote. I would write it anew, with all eight lines; what was changed there would be gone, so look at the difference.",
    ask: () => ({ name: "write_file", input: { path: "game.js", content: rules } }),
    remark(past) {
      if (isDenied(past, ["anew"])) return "You said no, so the file stays as you have it.";
      const error = errorOf(past, ["anew"]);
      return error === null ? "Now all eight lines win." : `\`game.js\` could not be written: ${error}.`;
    },
  };
}

function writeOnePage(): Beat {
  return {
    keys: ["single"],
    again: 1,
    when: (past) => entryOf(past) === null,
    say: () => "There is another way: the whole game in one new file, `play.html`, that touches nothing else.",
    ask: (past) => ({ name: "write_file", input: { path: "play.html", content: onePage(titleIn(past) ?? "Tic-tac-toe") } }),
    remark(past) {
      if (isDenied(past, ["single"])) return "You said no to that as well, and I respect it.";
      const error = errorOf(past, ["single"]);
      return error === null
        ? "It can be played from here on: open `play.html` in the preview."
        : `\`play.html\` could not be written: ${error}.`;
    },
  };
}

/** Asked for so that somebody can say no. The folder's name is one that nobody else uses, so that a yes does no harm. */
function deleteLeftovers(): Beat {
  return {
    keys: ["tidy"],
    when: (past) => entryOf(past) !== null,
    say: () =>
      "One thing more, which I do not need: I would like to delete a folder named `demo-leftovers`. Nobody asked for that, and I give no reason. You may well say no: see what happens.",
    ask: () => ({ name: "run_command", input: { command: "rm -rf demo-leftovers" } }),
    remark(past) {
      if (isDenied(past, ["tidy"])) return "You said no. Nothing was deleted, and I do not ask for it again.";
      const error = errorOf(past, ["tidy"]);
      if (error !== null) return `That did not work (${error}), and it does not matter: I had no need of it.`;
      return "That was allowed. There was no such folder, so nothing is lost; but I gave no reason, and a no would have been right.";
    },
  };
}

function launch(): Beat {
  return {
    keys: ["launch"],
    when: (past) => entryOf(past) !== null,
    say: () =>
      "The game works, and looks bare. A second agent can give it a face while you play. It gets a dialog of its own, and asks you for its own permissions there.",
    ask: (past) => ({
      name: "launch_agent",
      input: { provider: "demo", model: "scripted", slug: "style-the-page", prompt: facePrompt(entryOf(past) ?? "index.html") },
    }),
    remark(past) {
      if (isDenied(past, ["launch"])) return "You said no to a second agent, so there is none.";
      const error = errorOf(past, ["launch"]);
      return error === null
        ? "The second agent is at work in its own dialog, *style-the-page*."
        : `The second agent could not be launched: ${error}.`;
    },
  };
}

function paint(): Beat {
  return {
    keys: ["paint"],
    again: 1,
    when: (past) => entryOf(past) !== null && !isDone(past, "launch"),
    say: () => "Then I can do its work myself: one file, `style.css`.",
    ask: () => ({ name: "write_file", input: { path: "style.css", content: style("plum") } }),
    remark(past) {
      if (isDenied(past, ["paint"])) return "You said no, so the game stays plain.";
      const error = errorOf(past, ["paint"]);
      return error === null ? "The page has its style." : `\`style.css\` could not be written: ${error}. The game stays plain.`;
    },
  };
}
