/**
 * The number of bytes in a request for a pack (`git-upload-pack`) that its server doesn't know. Names that the server sent are known, but their
 * selection, order and keyword are information: see `choices`. Everything else counts fully.
 */
export function unexplainedBytes(body: Uint8Array, advertised: ReadonlySet<string>): number {
  let unexplained = 0;
  const chosen = choices(advertised);
  for (let at = 0; at < body.length; ) {
    const length = lengthAt(body, at);
    // A flush packet has four digits. Anything that is not a line counts fully.
    if (length === 0) {
      unexplained += 4;
      at += 4;
    } else if (length === null || length < 4 || at + length > body.length) return unexplained + chosen.cost() + body.length - at;
    else {
      unexplained += unexplainedIn(latin1.decode(body.subarray(at + 4, at + length)), chosen);
      at += length;
    }
  }
  return unexplained + chosen.cost();
}

const latin1 = new TextDecoder("latin1");

function lengthAt(body: Uint8Array, at: number): number | null {
  const digits = latin1.decode(body.subarray(at, at + 4));
  return /^[0-9a-f]{4}$/.test(digits) ? Number.parseInt(digits, 16) : null;
}

function unexplainedIn(line: string, chosen: Choices): number {
  const [, word, name, rest = ""] = /^(want|have|shallow) ([0-9a-f]{40})([^]*)$/.exec(line) ?? [];
  if (word === undefined || name === undefined || !chosen.take(word, name)) return line.length;
  // A missing line end is information too.
  return rest.endsWith("\n") ? rest.length - 1 : rest.length + 1;
}

interface Choices {
  /** Returns false if the server did not send this name. */
  take(word: string, name: string): boolean;
  /** The number of bytes that could encode the chosen names. */
  cost(): number;
}

/**
 * A clone asks for all names, or for long runs of them, in the order in which the server sent them. So a run costs as much as encoding where it
 * begins and ends, and consecutive runs together cost at most one bit per known name. If a server and a program use names
 * to encode a text, each name counts.
 */
function choices(advertised: ReadonlySet<string>): Choices {
  const places = new Map([...advertised].map((name, place) => [name, place]));
  const run = 1 + 2 * Math.ceil(Math.log2(places.size + 1) / 8);
  const maxAhead = Math.ceil(places.size / 8);
  let before: { readonly word: string; readonly place: number } | null = null;
  let [finished, ahead] = [0, 0];
  return {
    take(word, name) {
      const place = places.get(name);
      if (place === undefined) return false;
      if (before?.word !== word || place <= before.place) {
        finished += ahead + run;
        ahead = 0;
      } else if (place > before.place + 1) ahead = Math.min(ahead + run, maxAhead);
      before = { word, place };
      return true;
    },
    cost: () => finished + ahead,
  };
}

/** The names of git objects in a server's list of references. */
export function advertisedIn(body: Uint8Array): string[] {
  return latin1.decode(body).match(/(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/g) ?? [];
}
