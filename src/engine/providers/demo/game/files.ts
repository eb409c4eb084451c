import finishedRules from "./game.js?raw";
import indexTemplate from "./index.html?raw";
import page from "./page.js?raw";

/**
 * The files of the game that the demo builds. The templates beside this module are the finished game; here they become what
 * an agent writes at each step. A title may hold anything: it is put where it can only be text.
 */

/** The edit that fixes the rules: as first written they know one diagonal of the two. */
export const fix = {
  before: "  [0, 4, 8],\n];",
  after: "  [0, 4, 8],\n  [2, 4, 6],\n];",
} as const;

/** `game.js` with all eight lines. */
export const rules: string = finishedRules;

/** `game.js` as the agent writes it first, with a line missing. */
export const firstRules: string = finishedRules.replace(fix.after, fix.before);

/** `page.js`. */
export { page };

/** True when a text of game.js knows the second diagonal, anyone who wrote it there. */
export function knowsBothDiagonals(text: string): boolean {
  return /\[\s*2\s*,\s*4\s*,\s*6\s*\]/.test(text);
}

/** `index.html`. */
export function indexPage(title: string): string {
  return indexTemplate.replaceAll("Tic-tac-toe", () => escapeHtml(title));
}

/** The whole game in one file, for a human who does not want several. It still takes a `style.css` when there is one. */
export function onePage(title: string): string {
  return indexPage(title).replace(
    /\n {4}<script defer src="game\.js"><\/script>\n {4}<script defer src="page\.js"><\/script>([\s\S]*)\n {2}<\/body>/,
    (_match, between: string) => `${between}\n    <script>\n${rules}</script>\n    <script>\n${page}</script>\n  </body>`,
  );
}

/** The edit that makes a page take `style.css`. */
export const link = {
  before: "</head>",
  after: '  <link rel="stylesheet" href="style.css">\n  </head>',
} as const;

const colours =
  "plum purple violet indigo magenta orchid crimson red maroon tomato coral salmon orange gold olive green teal turquoise navy blue brown sienna".split(
    " ",
  );

/** The first plain colour word of a text that CSS knows too; null when it names none. */
export function colourIn(text: string): string | null {
  return (
    text
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.find((word) => colours.includes(word)) ?? null
  );
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
