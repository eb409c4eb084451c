import finishedRules from "./game.js?raw";
import indexTemplate from "./index.html?raw";
import page from "./page.js?raw";

/**
 * The files of the game that the demo builds. The templates next to this module are the finished game. This module makes from them what
 * an agent writes at each step. A title may contain anything, so it is only inserted as escaped text.
 */

/** The edit that fixes the rules. The first version knows only one of the two diagonals. */
export const fix = {
  before: "  [0, 4, 8],\n];",
  after: "  [0, 4, 8],\n  [2, 4, 6],\n];",
} as const;

/** `game.js` with all eight lines. */
export const rules: string = finishedRules;

/** `game.js` as the agent writes it first: one line of squares is missing. */
export const firstRules: string = finishedRules.replace(fix.after, fix.before);

/** `page.js`. */
export { page };

/** Whether a text of game.js knows the second diagonal, no matter who wrote it. */
export function knowsBothDiagonals(text: string): boolean {
  return /\[\s*2\s*,\s*4\s*,\s*6\s*\]/.test(text);
}

/** `index.html`. */
export function indexPage(title: string): string {
  return indexTemplate.replaceAll("Tic-tac-toe", () => escapeHtml(title));
}

/** The whole game in one file, for users who don't want several. It still loads `style.css` if that exists. */
export function onePage(title: string): string {
  return indexPage(title).replace(
    /\n {4}<script defer src="game\.js"><\/script>\n {4}<script defer src="page\.js"><\/script>([\s\S]*)\n {2}<\/body>/,
    (_match, between: string) => `${between}\n    <script>\n${rules}</script>\n    <script>\n${page}</script>\n  </body>`,
  );
}

/** The edit that makes a page load `style.css`. */
export const link = {
  before: "</head>",
  after: '  <link rel="stylesheet" href="style.css">\n  </head>',
} as const;

const colours =
  "plum purple violet indigo magenta orchid crimson red maroon tomato coral salmon orange gold olive green teal turquoise navy blue brown sienna".split(
    " ",
  );

/** The first plain color word in a text that is also a CSS color. Null if there is none. */
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
