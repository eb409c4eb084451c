import { colourIn, link } from "./game/files.ts";
import { style } from "./game/style.ts";
import { type CallHistory, resultText } from "./call-history.ts";
import type { Beat, Script } from "./script.ts";

/** The first agent's prompt to the second agent. `isFacePrompt` recognizes it. */
export function facePrompt(entry: string): string {
  return `Style the tic-tac-toe game in \`${entry}\`. Read doc-look.md, then write \`style.css\`. Don't change anything else.`;
}

export function isFacePrompt(prompt: string): boolean {
  return prompt.includes("`style.css`");
}

/** The second agent's part: it reads how the game should look, and writes `style.css`. */
export const face: Script = {
  greeting: "I'm the second agent, and I'm scripted too: no model, no network, but real files and real requests.",
  beats: [look(), write(), linkIt()],
  end: (past) =>
    past.outcome("style")?.kind === "done"
      ? "The game is styled. Take a look in the preview. My part is done."
      : "The game stays plain, but you can still play it. My part is done.",
  after:
    "That's the end of my script. I only write this one style sheet. For another look, change the color word in `doc-look.md` and start the demo again, or add an API key.",
};

function entryOf(past: CallHistory): string {
  return /`(\w[\w.-]*\.html)`/.exec(past.prompt)?.[1] ?? "index.html";
}

function look(): Beat {
  return {
    keys: ["see"],
    say: (past) => `I'll read \`doc-look.md\` and \`${entryOf(past)}\` first.`,
    ask: (past) => ({ name: "run_command", input: { command: `cat vibey/doc-look.md; echo; cat ${entryOf(past)}` } }),
    remark(past) {
      const outcome = past.outcome("see");
      if (outcome?.kind === "denied") return "You said no, so I'll work without reading them.";
      if (outcome?.kind === "failed") return `I couldn't read them (${outcome.error}), so I'll work without them.`;
      const colour = seenColour(past);
      return colour === null
        ? "I didn't find a color I know, so the marks will be plum."
        : `The color I recognize there is *${colour}*, so that's what the marks will be.`;
    },
  };
}

function write(): Beat {
  return {
    keys: ["style"],
    again: 1,
    say: () => "Now the style sheet: ink on paper, light and dark, and the winning line marked by a border as well as by color.",
    ask: (past) => ({ name: "write_file", input: { path: "style.css", content: style(seenColour(past) ?? "plum") } }),
    remark(past) {
      const outcome = past.outcome("style");
      if (outcome?.kind === "denied") return "You said no, so I won't write it.";
      if (outcome?.kind === "failed") return `I couldn't write \`style.css\`: ${outcome.error}.`;
      return "`style.css` is written.";
    },
  };
}

/** Only for a page that someone changed so that it loads no stylesheet. */
function linkIt(): Beat {
  return {
    keys: ["link"],
    when(past) {
      const seen = resultText(past.outcome("see"), "stdout");
      return past.outcome("style")?.kind === "done" && seen.includes(link.before) && !seen.includes('href="style.css"');
    },
    say: (past) => `\`${entryOf(past)}\` doesn't load \`style.css\` yet. One line fixes that.`,
    ask: (past) => ({ name: "edit_file", input: { path: entryOf(past), old_string: link.before, new_string: link.after } }),
    remark(past) {
      const outcome = past.outcome("link");
      if (outcome?.kind === "denied") return "You said no, so the page won't use the style sheet.";
      return outcome?.kind === "failed" ? `I couldn't add the line: ${outcome.error}.` : "";
    },
  };
}

/** The color word in the doc, not in the page that was printed after it. */
function seenColour(past: CallHistory): string | null {
  const doc = resultText(past.outcome("see"), "stdout").split(/<!doctype html>/i)[0] ?? "";
  return colourIn(doc);
}
