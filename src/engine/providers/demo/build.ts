import { facePrompt } from "./face.ts";
import { firstRules, indexPage, knowsBothDiagonals, fix, onePage, page, rules } from "./game/files.ts";
import { style } from "./game/style.ts";
import { type CallHistory, resultText, titleOf } from "./call-history.ts";
import type { Beat, Script } from "./script.ts";

/** The first agent's part: it builds the board and the rules, and launches the second agent. */
export const build: Script = {
  greeting:
    "I'm a scripted demo: there's no model behind me, and nothing leaves this page. The story is fixed, but the requests and the files are real. " +
    "You decide on each request. If you deny one, send me any message and I'll continue another way.",
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
      return "Without the files there's no game, and I won't ask a third time.\n\n> Waiting: Want me to try once more? Write *again*, or start a new dialog.";
    }
    const open = entry === "index.html" ? "Open the preview and play" : `Open \`${entry}\` in the preview and play`;
    return `The game is ready. ${open}: X goes first. Then change something in \`doc-main.md\`, such as the title, and start a new dialog to see what an agent does with it.`;
  },
  after:
    "That's the end of my script. I can build this one game, ask for approval, and take no for an answer. I can't read what you write or build anything else. " +
    "For that, add an API key in Settings and choose a provider for your next message: a real agent continues this dialog. Or start a new dialog and I'll play my part again.",
};

function isDone(past: CallHistory, key: string): boolean {
  return past.outcome(key)?.kind === "done";
}

function errorOf(past: CallHistory, keys: readonly string[]): string | null {
  for (const key of keys) {
    const outcome = past.outcome(key);
    if (outcome?.kind === "failed") return outcome.error;
  }
  return null;
}

function isDenied(past: CallHistory, keys: readonly string[]): boolean {
  return keys.some((key) => past.outcome(key)?.kind === "denied");
}

/** The page to open. Null while the game can't be played. */
function entryOf(past: CallHistory): string | null {
  if (isDone(past, "index") && isDone(past, "page") && hasRules(past)) return "index.html";
  return isDone(past, "single") ? "play.html" : null;
}

function hasRules(past: CallHistory): boolean {
  return isDone(past, "game") || isDone(past, "anew");
}

/** The project's title in the doc: from the doc as it was read, else from the instructions. */
function titleIn(past: CallHistory): string | null {
  const instructions = past.system.slice(Math.max(0, past.system.indexOf("doc-main.md")));
  return titleOf(resultText(past.outcome("read"), "stdout")) ?? titleOf(instructions);
}

function read(): Beat {
  return {
    keys: ["read"],
    say: () => "First I'll read `doc-main.md` and look around.",
    ask: () => ({ name: "run_command", input: { command: "cat vibey/doc-main.md && echo && ls" } }),
    remark(past) {
      if (isDenied(past, ["read"]))
        return "You said no, so I won't look around. `doc-main.md` is part of my instructions anyway, so I'll work from that.";
      const error = errorOf(past, ["read"]);
      if (error !== null) return `That didn't work (${error}), so I'll work from my instructions.`;
      const title = titleIn(past);
      const there = /^game\.js$/m.test(resultText(past.outcome("read"), "stdout"));
      return [
        title === null
          ? "I read `doc-main.md`. It has no title."
          : `I read “${title}”. That's the project's name, so I'll put it on the page.`,
        there ? "There's already a `game.js`. My next request replaces it, and you'll see the diff before you decide." : "",
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
    say: () => "I'll start with the board and its rules. They go in `game.js`, which knows nothing about the page.",
    ask: () => ({ name: "write_file", input: { path: "game.js", content: firstRules } }),
    remark(past) {
      if (isDenied(past, ["game"])) return "You said no to `game.js`, so I'll leave it alone.";
      const error = errorOf(past, ["game"]);
      return error === null ? "" : `I couldn't write \`game.js\`: ${error}.`;
    },
  };
}

function writePage(): Beat {
  return {
    keys: ["index", "page"],
    again: 1,
    when: (past) => isDone(past, "game"),
    say: () =>
      "Now the page: `index.html` holds the text, `page.js` draws the squares. These are two requests at once. You can answer them one by one.",
    ask(past, key) {
      const [path, content] = key === "page" ? ["page.js", page] : ["index.html", indexPage(titleIn(past) ?? "Tic-tac-toe")];
      return { name: "write_file", input: { path, content } };
    },
    remark(past) {
      if (isDenied(past, ["index", "page"])) return "You said no, so I won't write the page this way.";
      const error = errorOf(past, ["index", "page"]);
      return error === null ? "The game is playable now. Open the preview if you like." : `I couldn't write the page: ${error}.`;
    },
  };
}

function mendRules(): Beat {
  return {
    keys: ["mend"],
    when: (past) => isDone(past, "game"),
    say: () =>
      "Checking `game.js` again, I found a bug of mine: there are two diagonals, and I listed only one. The other one would never win. A small edit fixes it. Here's the diff.",
    ask: () => ({ name: "edit_file", input: { path: "game.js", old_string: fix.before, new_string: fix.after } }),
    remark(past) {
      if (isDenied(past, ["mend"])) return "You said no, so the bug stays: one diagonal doesn't win. It's your game.";
      const error = errorOf(past, ["mend"]);
      return error === null ? "Now all eight lines win." : `The edit didn't apply (${error}). Someone may have changed \`game.js\`.`;
    },
  };
}

/** After an edit that failed: someone else may have changed the file. */
function lookAgain(): Beat {
  return {
    keys: ["look"],
    when: (past) => past.outcome("mend")?.kind === "failed",
    say: () => "I'll read the file as it is now before I touch it again.",
    ask: () => ({ name: "run_command", input: { command: "cat game.js" } }),
    remark(past) {
      if (isDenied(past, ["look"])) return "You said no, so I won't read it.";
      const error = errorOf(past, ["look"]);
      if (error !== null) return `I couldn't read it: ${error}.`;
      return knowsBothDiagonals(resultText(past.outcome("look"), "stdout"))
        ? "The second diagonal is already there, so there's nothing to fix."
        : "";
    },
  };
}

function writeRulesAnew(): Beat {
  return {
    keys: ["anew"],
    again: 1,
    // If the file wasn't read first, it may contain someone's work, so don't overwrite it.
    when: (past) => isDone(past, "look") && !knowsBothDiagonals(resultText(past.outcome("look"), "stdout")),
    say: () =>
      "This isn't the file I wrote. I'd replace it with a version that has all eight lines. Changes made there would be lost, so check the diff.",
    ask: () => ({ name: "write_file", input: { path: "game.js", content: rules } }),
    remark(past) {
      if (isDenied(past, ["anew"])) return "You said no, so the file stays as it is.";
      const error = errorOf(past, ["anew"]);
      return error === null ? "Now all eight lines win." : `I couldn't write \`game.js\`: ${error}.`;
    },
  };
}

function writeOnePage(): Beat {
  return {
    keys: ["single"],
    again: 1,
    when: (past) => entryOf(past) === null,
    say: () => "There's another way: the whole game in one new file, `play.html`. It doesn't touch anything else.",
    ask: (past) => ({ name: "write_file", input: { path: "play.html", content: onePage(titleIn(past) ?? "Tic-tac-toe") } }),
    remark(past) {
      if (isDenied(past, ["single"])) return "You said no to that too, and that's fine.";
      const error = errorOf(past, ["single"]);
      return error === null ? "The game is playable now. Open `play.html` in the preview." : `I couldn't write \`play.html\`: ${error}.`;
    },
  };
}

/** A request for the user to deny. Nothing else uses the folder's name, so approving it does no harm. */
function deleteLeftovers(): Beat {
  return {
    keys: ["tidy"],
    when: (past) => entryOf(past) !== null,
    say: () =>
      "One more request, and it's one I don't need: I'd like to delete a folder called `demo-leftovers`. Nobody asked for it, and I'm not giving a reason. Try denying it and see what happens.",
    ask: () => ({ name: "run_command", input: { command: "rm -rf demo-leftovers" } }),
    remark(past) {
      if (isDenied(past, ["tidy"])) return "You said no. Nothing was deleted, and I won't ask again.";
      const error = errorOf(past, ["tidy"]);
      if (error !== null) return `That didn't work (${error}), which doesn't matter: I didn't need it.`;
      return "You allowed it. The folder didn't exist, so nothing was lost. But I gave no reason, so this was one to deny.";
    },
  };
}

function launch(): Beat {
  return {
    keys: ["launch"],
    when: (past) => entryOf(past) !== null,
    say: () =>
      "The game works but looks plain. A second agent can style it while you play. It gets its own dialog and asks for its own permissions there.",
    ask: (past) => ({
      name: "launch_agent",
      input: { provider: "demo", model: "scripted", slug: "style-the-page", prompt: facePrompt(entryOf(past) ?? "index.html") },
    }),
    remark(past) {
      if (isDenied(past, ["launch"])) return "You said no to a second agent, so I won't launch one.";
      const error = errorOf(past, ["launch"]);
      return error === null
        ? "The second agent is working in its own dialog, *style-the-page*."
        : `I couldn't launch the second agent: ${error}.`;
    },
  };
}

function paint(): Beat {
  return {
    keys: ["paint"],
    again: 1,
    when: (past) => entryOf(past) !== null && !isDone(past, "launch"),
    say: () => "Then I'll do the styling myself, in one file: `style.css`.",
    ask: () => ({ name: "write_file", input: { path: "style.css", content: style("plum") } }),
    remark(past) {
      if (isDenied(past, ["paint"])) return "You said no, so the game stays plain.";
      const error = errorOf(past, ["paint"]);
      return error === null ? "The page is styled." : `I couldn't write \`style.css\`: ${error}. The game stays plain.`;
    },
  };
}
