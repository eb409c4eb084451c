/** `style.css`, with the marks in a color that `colourIn` found. Not a `.css` file, because tests read `.css` files as empty. */
export function style(colour: string): string {
  return `:root {
  color-scheme: light dark;
  --marks: ${colour};
  --paper: #fbf9f6;
  --ink: #2b2622;
  --line: #ddd5cb;
  --cross: color-mix(in oklab, var(--marks) 45%, var(--ink));
  --nought: color-mix(in oklab, var(--marks) 10%, var(--ink));
}

@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1b1817;
    --ink: #ece6df;
    --line: #4a423c;
  }
}

body {
  margin: 0;
  min-height: 100vh;
  display: grid;
  place-items: center;
  background: var(--paper);
  color: var(--ink);
  font:
    1.125rem / 1.5 "Iowan Old Style",
    Palatino,
    "Noto Serif",
    Georgia,
    serif;
}

main {
  padding: 1.5rem;
  text-align: center;
}

h1 {
  margin: 0;
  font-size: 1.6rem;
  font-weight: 600;
}

#status {
  margin: 0.25rem 0 1.25rem;
}

#board {
  display: inline-grid;
  gap: 0.4rem;
}

#board div {
  display: flex;
  gap: 0.4rem;
}

button {
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: none;
  color: inherit;
  font: inherit;
  cursor: pointer;
}

button:focus-visible {
  outline: 3px solid var(--cross);
  outline-offset: 2px;
}

#board button {
  width: min(26vw, 6.5rem);
  height: min(26vw, 6.5rem);
  padding: 0;
  font-size: min(14vw, 3.4rem);
  line-height: 1;
}

#board button[data-mark=""] {
  color: transparent;
}

#board button[data-mark="X"] {
  color: var(--cross);
  font-weight: 700;
}

#board button[data-mark="O"] {
  color: var(--nought);
}

#board button[aria-disabled="true"] {
  cursor: default;
}

#board button[aria-disabled="false"]:hover {
  border-color: var(--cross);
}

#board .won {
  border: 3px double var(--cross);
  background: color-mix(in oklab, var(--marks) 22%, var(--paper));
}

#new {
  margin-top: 1rem;
  padding: 0.6rem 1.2rem;
}
`;
}
