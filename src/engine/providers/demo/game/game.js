// The rules of tic-tac-toe, and nothing about the page. A game is a value: a move gives a new one and leaves the old as it was.

// The squares are numbered from 0 to 8, row by row. Three rows, three columns, two diagonals.
const lines = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
];

/** An empty board; X begins. `winner` is "X" or "O" once there is one, and `won` holds the squares of the winning line. */
function newGame() {
  return { squares: Array(9).fill(null), turn: "X", winner: null, won: [], draw: false };
}

/** The game after the player whose turn it is has taken a square; the same game when that square can't be taken. */
function play(game, square) {
  if (game.winner !== null || game.draw || game.squares[square] !== null) return game;
  const squares = game.squares.slice();
  squares[square] = game.turn;
  const won = lines.filter((line) => line.every((each) => squares[each] === game.turn)).flat();
  const winner = won.length > 0 ? game.turn : null;
  return { squares, turn: game.turn === "X" ? "O" : "X", winner, won, draw: winner === null && !squares.includes(null) };
}

globalThis.ticTacToe = { newGame, play };
