/**
 * How many bytes of a request for a pack (`git-upload-pack`) say anything that its server did not tell before. A name that the server told says
 * nothing new, but which of the names are chosen, in which order and under which word does: see `choices`. Everything else counts as it is.
 */
export function unexplainedBytes(body: Uint8Array, advertised: ReadonlySet<string>): number {
  let unexplained = 0;
  const chosen = choices(advertised);
  for (let at = 0; at < body.length; ) {
    const length = lengthAt(body, at);
    // A mark is four digits; what is no line at all counts whole.
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
  // That a line's end is missing says something as well.
  return rest.endsWith("\n") ? rest.length - 1 : rest.length + 1;
}

interface Choices {
  /** False: the server did not tell this name. */
  take(word: string, name: string): boolean;
  /** Bytes in which it could be said which names were taken. */
  cost(): number;
}

/**
 * A clone asks for all names, or for long runs of them, in the order in which the server told them: a run costs as much as to say where it
 * begins and ends, and all runs that follow one another never more than a bit for each name there is. A server and a program that spell a text
 * with names, one after the other, pay for each of them.
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

/** The names of git objects in what a server says of its references. */
export function advertisedIn(body: Uint8Array): string[] {
  return latin1.decode(body).match(/(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/g) ?? [];
}
