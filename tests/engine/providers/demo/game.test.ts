import { runInNewContext, Script } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  colourIn,
  firstRules,
  indexPage,
  knowsBothDiagonals,
  fix,
  onePage,
  rules,
} from "../../../../src/engine/providers/demo/game/files.ts";
import { style } from "../../../../src/engine/providers/demo/game/style.ts";

interface Game {
  squares: (string | null)[];
  turn: string;
  winner: string | null;
  won: number[];
  draw: boolean;
}
interface Rules {
  newGame(): Game;
  play(game: Game, square: number): Game;
}

function load(source: string): Rules {
  const scope: { ticTacToe?: Rules } = {};
  runInNewContext(source, scope);
  if (!scope.ticTacToe) throw new Error("game.js gives no rules");
  return scope.ticTacToe;
}

const finished = load(rules);
const first = load(firstRules);

/** In `"048 13"`, X takes 0, 4, 8 and O takes 1, 3, in turns. */
function played(game: Rules, moves: string): Game {
  const [xs = "", os = ""] = moves.split(" ");
  let state = game.newGame();
  for (let at = 0; at < xs.length; at++) {
    state = game.play(state, Number(xs[at]));
    if (os[at] !== undefined) state = game.play(state, Number(os[at]));
  }
  return state;
}

describe("the finished rules", () => {
  test.each(["012 34", "345 01", "678 01", "036 12", "147 02", "258 01", "048 12", "246 01"])("%s wins for X", (moves) => {
    const state = played(finished, moves);
    expect(state).toMatchObject({ winner: "X", draw: false });
    expect(state.won.join("")).toBe(moves.split(" ")[0]);
  });

  test("O can win too", () => expect(played(finished, "018 345")).toMatchObject({ winner: "O", draw: false }));
  test("a full board without a line is a draw", () => expect(played(finished, "01568 2347")).toMatchObject({ winner: null, draw: true }));
  test("a last move that fills the board and a line is a win", () => {
    expect(played(finished, "01638 2457")).toMatchObject({ winner: "X", draw: false });
  });
  test("no square can be taken twice", () => {
    const state = played(finished, "4");
    expect(finished.play(state, 4)).toBe(state);
  });
  test("no move after a win", () => {
    const state = played(finished, "012 34");
    for (let square = 0; square < 9; square++) expect(finished.play(state, square)).toBe(state);
  });
  test("a move changes nothing of the game before it", () => {
    const before = finished.newGame();
    finished.play(before, 0);
    expect(before).toMatchObject({ turn: "X", winner: null });
    expect(before.squares.every((square) => square === null)).toBe(true);
  });

  test("law: every game ends within nine moves, in a win or a draw, never in both", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8], { minLength: 9 }), (squares) => {
        const end = squares.reduce((state, square) => finished.play(state, square), finished.newGame());
        expect((end.winner === null) === end.draw).toBe(true);
      }),
    );
  });
});

test("the first rules have one honest flaw: the second diagonal does not win", () => {
  expect(played(first, "246 01")).toMatchObject({ winner: null });
  for (const moves of ["012 34", "036 12", "048 12"]) expect(played(first, moves)).toMatchObject({ winner: "X" });
  expect([knowsBothDiagonals(firstRules), knowsBothDiagonals(rules)]).toEqual([false, true]);
});

test("the edit fits once, and makes the first rules the finished ones", () => {
  expect(firstRules.split(fix.before)).toHaveLength(2);
  expect(firstRules.replace(fix.before, fix.after)).toBe(rules);
});

test("the page needs nothing from elsewhere", () => {
  for (const text of [indexPage("A"), onePage("A"), style("plum")]) expect(text).not.toMatch(/https?:|\/\/[a-z]/);
});

test("the game in one file holds its scripts, and asks for none", () => {
  const page = onePage("$& <i>");
  expect(page).not.toContain("<script defer");
  expect(page.match(/<script>/g)).toHaveLength(2);
  expect(page.indexOf("</main>")).toBeLessThan(page.indexOf("<script>"));
  const scripts = Array.from(page.matchAll(/<script>([^]*?)<\/script>/g), (match) => match[1] ?? "");
  expect(played(load(scripts[0] ?? ""), "246 01")).toMatchObject({ winner: "X" });
  expect(() => new Script(scripts[1] ?? "")).not.toThrow();
  expect(page).toContain("<h1>$&amp; &lt;i&gt;</h1>");
});

test.each<[string, string | null]>([
  ["The marks are Teal, not plum.", "teal"],
  ["A shared, ordered list.", null],
  ["", null],
])("the colour in %j is %s", (text, colour) => expect(colourIn(text)).toBe(colour));
