import { For } from "solid-js";
import { type Line, lines, type Piece, pieces } from "./cell.ts";
import type { Reading } from "./lookalikes.ts";
import { Segments } from "./Visible.tsx";

/**
 * Foreign text for a decision, whole: a line of the text is a line with its number, a line that only wraps carries an arrow. The marks
 * are no text: they can't be selected, and what is copied is what stands there.
 */
export default function Exact(props: { text: string; reading: Reading }) {
  const all = () => lines(props.text, props.reading);
  return (
    <bdi dir="ltr" class="exact" classList={{ numbered: all().length > 1 }}>
      <For each={all()}>{(line) => <ExactLine line={line} />}</For>
    </bdi>
  );
}

function ExactLine(props: { line: Line }) {
  return (
    <span class="exact-line" data-number={props.line.number}>
      <Pieces of={props.line.pieces} />
      {props.line.end}
    </span>
  );
}

/** Foreign text on one line: a host, a path, a word of a command. */
export function ExactWord(props: { text: string; reading: Reading }) {
  return (
    <bdi dir="ltr">
      <Pieces of={pieces(props.text, props.reading)} />
    </bdi>
  );
}

export function Pieces(props: { of: readonly Piece[] }) {
  return <For each={props.of}>{(piece) => shown(piece)}</For>;
}

function shown(piece: Piece) {
  if (piece.kind === "blanks")
    return (
      <span class="deceit" data-label={piece.label}>
        <span class="counted">{piece.source}</span>
      </span>
    );
  if (piece.kind === "marked")
    return (
      <span class="deceit" data-label={piece.label}>
        <Segments of={piece.pieces} />
      </span>
    );
  return <Segments of={[piece]} />;
}
