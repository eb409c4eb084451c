import { colourIn, link } from "./game/files.ts";
import { style } from "./game/style.ts";
import { type Past, resultText } from "./past.ts";
import type { Beat, Script } from "./script.ts";

/** What the first agent sends the second, and by what the second is known. */
export function facePrompt(entry: string): string {
  return `Give the tic-tac-toe in \`${entry}\` a face. Read doc-look.md, then write \`style.css\`. Change nothing else.`;
}

export function isFacePrompt(prompt: string): boolean {
  return prompt.includes("`style.css`");
}

/** The second agent's part: it reads what the look should be, and writes `style.css`. */
export const face: Script = {
  greeting: "I am the second agent, and as scripted as the first: no model, no network, real files and real requests.",
  beats: [look(), write(), linkIt()],
  end: (past) =>
    past.outcome("style")?.kind === "done"
      ? "The game has a face: see it in the preview. My part is over."
      : "Then the game stays plain; it can be played all the same. My part is over.",
  after:
    "My part is over. I am a script and write this one style sheet; for another look, change the colour word in `doc-look.md` and start the demo again, or use your own key.",
};

function entryOf(past: Past): string {
  return /`(\w[\w.-]*\.html)`/.exec(past.prompt)?.[1] ?? "index.html";
}

function look(): Beat {
  return {
    keys: ["see"],
    say: (past) => `I read \`doc-look.md\` and \`${entryOf(past)}\` first.`,
    ask: (past) => ({ name: "run_command", input: { command: `cat vibey/doc-look.md; echo; cat ${entryOf(past)}` } }),
    remark(past) {
      const outcome = past.outcome("see");
      if (outcome?.kind === "denied") return "You said no, so I work without having seen them.";
      if (outcome?.kind === "failed") return `They could not be read (${outcome.error}), so I work without having seen them.`;
      const colour = seenColour(past);
      return colour === null
        ? "I found no colour word that I know, so the marks will be plum."
        : `The word that I understand there is *${colour}*: so be the marks.`;
    },
  };
}

function write(): Beat {
  return {
    keys: ["style"],
    again: 1,
    say: () => "Now the style sheet: ink on paper, light and dark, the winning line marked by its border too.",
    ask: (past) => ({ name: "write_file", input: { path: "style.css", content: style(seenColour(past) ?? "plum") } }),
    remark(past) {
      const outcome = past.outcome("style");
      if (outcome?.kind === "denied") return "You said no, so I write nothing.";
      if (outcome?.kind === "failed") return `\`style.css\` could not be written: ${outcome.error}.`;
      return "`style.css` is written.";
    },
  };
}

/** Only for a page that somebody changed so that it takes no style sheet. */
function linkIt(): Beat {
  return {
    keys: ["link"],
    when(past) {
      const seen = resultText(past.outcome("see"), "stdout");
      return past.outcome("style")?.kind === "done" && seen.includes(link.before) && !seen.includes('href="style.css"');
    },
    say: (past) => `\`${entryOf(past)}\` does not ask for \`style.css\` yet. One line changes that.`,
    ask: (past) => ({ name: "edit_file", input: { path: entryOf(past), old_string: link.before, new_string: link.after } }),
    remark(past) {
      const outcome = past.outcome("link");
      if (outcome?.kind === "denied") return "You said no, so the page does not use the style sheet.";
      return outcome?.kind === "failed" ? `The line could not be added: ${outcome.error}.` : "";
    },
  };
}

/** The colour word of the doc, not of the page that was printed after it. */
function seenColour(past: Past): string | null {
  const doc = resultText(past.outcome("see"), "stdout").split(/<!doctype html>/i)[0] ?? "";
  return colourIn(doc);
}
