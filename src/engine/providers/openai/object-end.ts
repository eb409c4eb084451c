/** Finds the end of a JSON object that arrives in pieces. Each character is read once. */
export interface ObjectEnd {
  /** Whether the object's closing bracket is in this piece. Doesn't check whether the object is valid JSON. */
  push(piece: string): boolean;
}

export function objectEnd(): ObjectEnd {
  let depth = 0;
  let ended = false;
  let inString = false;
  let escaped = false;
  return {
    push(piece) {
      if (ended) return false;
      for (let at = 0; at < piece.length && !ended; at++) {
        const code = piece.charCodeAt(at);
        if (escaped) escaped = false;
        else if (inString) {
          if (code === BACKSLASH) escaped = true;
          else if (code === QUOTE) inString = false;
        } else if (code === QUOTE) inString = true;
        else if (code === OPEN || code === OPEN_LIST) depth++;
        else if (code === CLOSE || code === CLOSE_LIST) ended = --depth <= 0;
      }
      return ended;
    },
  };
}

const QUOTE = 34;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;
