import { createMemo, For, Show } from "solid-js";
import { type Line, lines, type Piece, pieces } from "./cell.ts";
import { type ExactPart, exactParts, fewElements, partLines } from "./exact-parts.ts";
import { layoutUnits } from "../markdown/long-text.ts";
import { chargeLayout } from "../markdown/slices.ts";
import { createSteps } from "./create-steps.ts";
import type { Reading } from "./lookalikes.ts";
import { Segments } from "./ShortVisible.tsx";

/**
 * Foreign text for a decision, whole. Each line has its number; wrapped rows have an arrow. These marks can't be selected, so copying gives the exact
 * text. `first`: the number of the first line, if the text is the end of a longer one.
 */
export default function Exact(props: { text: string; reading: Reading; first?: number | undefined }) {
  const isLong = () => props.text.length > long;
  const isNumbered = () => props.first !== undefined || props.text.slice(0, -1).includes("\n") || isLong();
  return (
    <bdi dir="ltr" class="exact" classList={{ numbered: isNumbered() }}>
      <Show when={isLong()} fallback={<ExactLines {...props} />}>
        <InParts {...props} />
      </Show>
    </bdi>
  );
}

/** From this many UTF-16 units, a text is added to the page in parts, as fast as the frames allow. */
const long = 8_192;

/** While parts are missing, this counts as loading, so that no one can approve what isn't shown yet. */
function InParts(props: { text: string; reading: Reading; first?: number | undefined }) {
  const parts = createMemo(() => exactParts(props.text, props.first));
  const ready = createSteps(() => parts(), 1);
  return (
    <>
      <For each={ready()}>
        {(part, at) => (
          <span
            class="exact-part"
            classList={{ continued: part.continued }}
            style={{ "contain-intrinsic-block-size": `auto ${Math.max(1, part.breaks)}lh` }}
          >
            <PartLines part={part} at={at()} reading={props.reading} />
          </span>
        )}
      </For>
      <Show when={ready().length < parts().length}>
        <span class="loading" />
      </Show>
    </>
  );
}

function ExactLines(props: { text: string; reading: Reading; first?: number | undefined }) {
  return (
    <For each={fewElements(lines(props.text, props.reading, props.first))}>
      {(line) => <ExactLine line={line} reading={props.reading} />}
    </For>
  );
}

/** The lines of a long text. Most lines have nothing to mark and are cheap to create: there may be hundreds of thousands. */
function PartLines(props: { part: ExactPart; at: number; reading: Reading }) {
  const all = createMemo(() => {
    const found = partLines(props.part, props.reading);
    chargeLayout(
      // Each line also has elements for its number and its arrow.
      found.reduce((sum, { pieces: own }) => sum + 3 + own.length, 0),
      layoutUnits(props.part.text, props.at),
    );
    return found;
  });
  return (
    <For each={all()}>
      {(line) =>
        isPlain(line) ? (
          <span class="exact-line" data-number={line.number}>
            {line.pieces.map(({ source }) => source).join("") + line.end}
          </span>
        ) : (
          <ExactLine line={line} reading={props.reading} />
        )
      }
    </For>
  );
}

/** UTF-16 units of a line that fits on every screen. */
const narrow = 20;
const lengthOf = ({ pieces: all }: Line): number => all.reduce((sum, { source }) => sum + source.length, 0);
const isPlain = (line: Line): boolean => lengthOf(line) <= narrow && line.pieces.every(({ kind }) => kind === "text");

/** Lines with up to this many words break only at blanks. Longer lines would need too many elements. */
const maxWhole = 400;
const countWords = ({ pieces: all }: Line): number => all.reduce((sum, { source }) => sum + source.split(/[ \t]+/).length, 0);

function ExactLine(props: { line: Line; reading: Reading }) {
  const breaksAtBlanks = () => props.reading === "command" && countWords(props.line) <= maxWhole;
  return (
    <span class="exact-line" data-number={props.line.number}>
      <Show when={breaksAtBlanks()} fallback={<Pieces of={props.line.pieces} />}>
        <For each={props.line.pieces}>{(piece) => (piece.kind === "text" ? <Words text={piece.text} /> : shown(piece))}</For>
      </Show>
      {props.line.end}
    </span>
  );
}

/**
 * The words of a command. A line wraps at blanks, and within a word only if the word is longer than a line. Otherwise `rm -` and `rf` would look like
 * two words.
 */
function Words(props: { text: string }) {
  return <For each={props.text.split(/([ \t]+)/)}>{(word) => (/[^\w \t]/.test(word) ? <span class="whole">{word}</span> : word)}</For>;
}

/** Foreign text on one line: a host, a path, or a word of a command. */
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
