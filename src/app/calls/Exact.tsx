import { For, Show } from "solid-js";
import { type Line, lines, type Piece, pieces } from "./cell.ts";
import type { Reading } from "./lookalikes.ts";
import { Segments } from "./Visible.tsx";

/**
 * Foreign text for a decision, whole: a line of the text is a line with its number, a line that only wraps carries an arrow. The marks
 * are no text: they can't be selected, and what is copied is what stands there. `first`: the number of its first line, where it is the end of
 * a longer text.
 */
export default function Exact(props: { text: string; reading: Reading; first?: number | undefined }) {
  const all = () => lines(props.text, props.reading, props.first);
  return (
    <bdi dir="ltr" class="exact" classList={{ numbered: all().length > 1 || props.first !== undefined }}>
      <For each={all()}>{(line) => <ExactLine line={line} reading={props.reading} />}</For>
    </bdi>
  );
}

/** UTF-16 units of a line up to which its words stay whole; in a longer one there are too many. */
const mostWhole = 4_000;

function ExactLine(props: { line: Line; reading: Reading }) {
  const breaksAtBlanks = () =>
    props.reading === "command" && props.line.pieces.reduce((sum, { source }) => sum + source.length, 0) <= mostWhole;
  return (
    <span class="exact-line" data-number={props.line.number}>
      <Show when={breaksAtBlanks()} fallback={<Pieces of={props.line.pieces} />}>
        <For each={props.line.pieces}>{(piece) => (piece.kind === "text" ? <Words text={piece.text} /> : shown(piece))}</For>
      </Show>
      {props.line.end}
    </span>
  );
}

/** A command's words: a line wraps at blanks, and within a word only where that is longer than a line. `rm -` and `rf` would read as two. */
function Words(props: { text: string }) {
  return <For each={props.text.split(/([ \t]+)/)}>{(word) => (/[^\w \t]/.test(word) ? <span class="whole">{word}</span> : word)}</For>;
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
