import type { DialogPiece, EditOp } from "../../dialog/edit.ts";

/**
 * The text of a file as pieces: closed pieces, and between them open pieces that change in place. The cost of a change depends on the size of the
 * change and of the text after it, not on the size of the file. The whole text is joined only on request.
 */
export interface FileText {
  /** In UTF-16 units. */
  readonly length: number;
  text(): string;
  /** The text from a UTF-16 offset to the end. */
  from(offset: number): string;
  /** Applies the operations. Returns the offset of the first difference, never in the middle of a character. Null if the text stays the same. */
  apply(ops: readonly EditOp[]): number | null;
  /** The same for a file that is written again. */
  rewrite(data: readonly DialogPiece[]): number | null;
}

interface TextPiece {
  /** Joined, these are the piece's text. Each chunk is more than twice as long as the next one, so there are few of them. */
  chunks: string[];
  length: number;
  open: string | undefined;
}

/** `layout` joined is `text`. The pieces are slices of `text`, so they need no memory of their own. */
export function createFileText(text: string, layout: readonly DialogPiece[] = [{ data: text }]): FileText {
  let pieces: TextPiece[] = [];
  let length = 0;
  let whole: string | null = null;

  /** Sets the pieces from a text that is contiguous in memory. */
  const take = (flat: string, parts: readonly { readonly length: number; readonly open: string | undefined }[]): void => {
    let at = 0;
    pieces = parts.map((part) => {
      const from = at;
      at += part.length;
      return { chunks: part.length === 0 ? [] : [flat.slice(from, at)], length: part.length, open: part.open };
    });
    if (at !== flat.length) throw new RangeError(`Pieces of ${at} characters for a text of ${flat.length}`);
    length = at;
    whole = flat;
  };

  const read = (): string => {
    if (whole === null) take(pieces.flatMap(({ chunks }) => chunks).join(""), pieces);
    return whole ?? "";
  };

  const from = (offset: number): string => {
    if (whole !== null) return whole.slice(offset);
    const out: string[] = [];
    let end = length;
    for (let at = pieces.length - 1; at >= 0 && end > offset; at--) {
      const { chunks } = pieces[at] ?? none;
      for (let nth = chunks.length - 1; nth >= 0 && end > offset; nth--) {
        const chunk = chunks[nth] ?? "";
        const begin = end - chunk.length;
        out.push(begin < offset ? chunk.slice(offset - begin) : chunk);
        end = begin;
      }
    }
    return out.toReversed().join("");
  };

  const append = (added: string, open: string | undefined): number | null => {
    const before = length;
    const last = pieces.at(-1);
    if (open === undefined && last !== undefined && last.open === undefined) addChunk(last, added);
    else pieces.push({ chunks: added === "" ? [] : [added], length: added.length, open });
    length += added.length;
    return added === "" ? null : before;
  };

  const patch = (label: string, now: string, close: boolean): number | null => {
    const at = pieces.findLastIndex(({ open }) => open === label);
    const piece = pieces[at];
    if (piece === undefined) throw new RangeError(`No open piece ${label}`);
    const before = piece.chunks.join("");
    const begin = pieces.slice(at).reduce((offset, each) => offset - each.length, length);
    length += now.length - piece.length;
    piece.chunks = now === "" ? [] : [now];
    piece.length = now.length;
    if (close) {
      piece.open = undefined;
      joinNext(pieces, at);
      joinNext(pieces, at - 1);
    }
    return before === now ? null : begin + commonPrefix(before, now);
  };

  take(
    text,
    layout.map(({ data, open }) => ({ length: data.length, open })),
  );
  return {
    get length() {
      return length;
    },
    text: read,
    from,
    apply(ops) {
      let changed: number | null = null;
      for (const op of ops) {
        whole = null;
        const at = op.op === "append" ? append(op.text, op.open) : patch(op.label, op.text, op.close === true);
        if (at !== null && (changed === null || at < changed)) changed = at;
      }
      return changed;
    },
    rewrite(data) {
      const before = read();
      const now = data.map((piece) => piece.data).join("");
      take(
        now,
        data.map((piece) => ({ length: piece.data.length, open: piece.open })),
      );
      return before === now ? null : commonPrefix(before, now);
    },
  };
}

const none: TextPiece = { chunks: [], length: 0, open: undefined };

/** Joins two chunks if the first is at most twice as long as the second. So each character is copied only O(log n) times for a text of length n. */
function addChunk(piece: TextPiece, text: string): void {
  if (text === "") return;
  const { chunks } = piece;
  piece.length += text.length;
  let last = text;
  for (let before = chunks.at(-1); before !== undefined && before.length <= 2 * last.length; before = chunks.at(-1)) {
    chunks.pop();
    // String concatenation would create a rope, which needs more memory than its content.
    last = [before, last].join("");
  }
  chunks.push(last);
}

/** Joins the piece at `at` with the next one if both are closed. */
function joinNext(pieces: TextPiece[], at: number): void {
  const [piece, next] = [pieces[at], pieces[at + 1]];
  if (piece === undefined || next === undefined || piece.open !== undefined || next.open !== undefined) return;
  for (const chunk of next.chunks) addChunk(piece, chunk);
  pieces.splice(at + 1, 1);
}

/** The length of the common prefix of two texts, never in the middle of a surrogate pair. */
function commonPrefix(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  const last = at > 0 ? one.charCodeAt(at - 1) : 0;
  return last >= 0xd800 && last < 0xdc00 ? at - 1 : at;
}
