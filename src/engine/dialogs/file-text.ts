import type { DialogPiece, EditOp } from "../../dialog/edit.ts";

/**
 * The text of a file as its pieces: what is closed, and between it the open pieces that change in place. A change costs what it changes
 * and what follows that, not what the file holds; the text as a whole is put together for those who ask for it.
 */
export interface FileText {
  /** UTF-16 units. */
  readonly length: number;
  text(): string;
  /** The text from a UTF-16 offset on. */
  from(offset: number): string;
  /** Does the operations. Returns the offset from which on the text may read otherwise, never in the middle of a character; null: it reads the same. */
  apply(ops: readonly EditOp[]): number | null;
  /** The same for a file that is written again. */
  rewrite(data: readonly DialogPiece[]): number | null;
}

interface TextPiece {
  /** Joined, the piece's text. Each is more than twice as long as the next one, so that they are few. */
  chunks: string[];
  length: number;
  open: string | undefined;
}

/** `layout` joined is `text`; its pieces are cut out of `text`, so that they need no memory of their own. */
export function createFileText(text: string, layout: readonly DialogPiece[] = [{ data: text }]): FileText {
  let pieces: TextPiece[] = [];
  let length = 0;
  let whole: string | null = null;

  /** Takes up a text that is in one piece in memory. */
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

/** Two chunks become one when the first is not more than twice as long: so a character is copied a number of times that grows with the logarithm of the length. */
function addChunk(piece: TextPiece, text: string): void {
  if (text === "") return;
  const { chunks } = piece;
  piece.length += text.length;
  let last = text;
  for (let before = chunks.at(-1); before !== undefined && before.length <= 2 * last.length; before = chunks.at(-1)) {
    chunks.pop();
    // Adding would make a rope, which needs more memory than what it holds.
    last = [before, last].join("");
  }
  chunks.push(last);
}

/** Joins the piece at `at` with the next one when both are closed. */
function joinNext(pieces: TextPiece[], at: number): void {
  const [piece, next] = [pieces[at], pieces[at + 1]];
  if (piece === undefined || next === undefined || piece.open !== undefined || next.open !== undefined) return;
  for (const chunk of next.chunks) addChunk(piece, chunk);
  pieces.splice(at + 1, 1);
}

/** The length of what two texts begin with alike, never in the middle of a surrogate pair. */
function commonPrefix(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  const last = at > 0 ? one.charCodeAt(at - 1) : 0;
  return last >= 0xd800 && last < 0xdc00 ? at - 1 : at;
}
