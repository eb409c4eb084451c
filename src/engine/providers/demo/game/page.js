// Shows a game and passes the players' moves on. The rules are in game.js.

const rules = globalThis.ticTacToe;
const message = document.querySelector("#status");
const buttons = [...document.querySelectorAll("#board button")];
let game = rules.newGame();

function show() {
  for (const [square, button] of buttons.entries()) {
    const mark = game.squares[square];
    const place = `Row ${Math.floor(square / 3) + 1}, column ${(square % 3) + 1}`;
    button.textContent = mark ?? "·";
    button.setAttribute("aria-label", `${place}: ${mark ?? "empty"}`);
    button.dataset.mark = mark ?? "";
    button.classList.toggle("won", game.won.includes(square));
    // Not `disabled`: a button that loses the focus would throw keyboard players off the board.
    button.setAttribute("aria-disabled", String(mark !== null || game.winner !== null || game.draw));
  }
  if (game.winner) message.textContent = `${game.winner} wins.`;
  else if (game.draw) message.textContent = "A draw.";
  else message.textContent = `${game.turn} to move.`;
}

for (const [square, button] of buttons.entries()) {
  button.addEventListener("click", () => {
    game = rules.play(game, square);
    show();
  });
  button.addEventListener("keydown", (event) => {
    const row = Math.floor(square / 3);
    const column = square % 3;
    const next = {
      ArrowUp: row > 0 ? square - 3 : square,
      ArrowDown: row < 2 ? square + 3 : square,
      ArrowLeft: column > 0 ? square - 1 : square,
      ArrowRight: column < 2 ? square + 1 : square,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    buttons[next].focus();
  });
}

document.querySelector("#new").addEventListener("click", () => {
  game = rules.newGame();
  show();
  buttons[0].focus();
});

show();
