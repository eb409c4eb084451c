import { Bash } from "just-bash/browser";

/** Texts that are put into a script, where they are put. */
type Edit = readonly (readonly [at: number, text: string])[];

/** Where a redirection may have a word such as `a=b` for its target, which just-bash takes for an assignment. */
const redirections = /(?:<<<|&>>?|>\||>>?|<)[ \t]*(?=[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?=)/g;

/** A command of arithmetic in one line; its `<<` is a here-document for just-bash. */
const shifting = /(?<!\$)\(\(((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*)\)\)/g;

/** In a script with more of them none is looked at: each takes as long as reading the script. */
const mostEdits = 100;

/**
 * The script with a backslash before each target of a redirection that just-bash refuses (`cat <<< aGk=`), and with `$((…))` around each shift in `((x<<2))`.
 * An edit is made only where the script can't be read without it, so nothing else that looks the same changes, such as the text of a here-document.
 */
export function readableSource(script: string): string {
  const all = [...redirectionsIn(script), ...shiftsIn(script)];
  if (all.length === 0 || all.length > mostEdits || canBeRead(script)) return script;
  const needed = new Set(all);
  // Another mistake is in it, too: just-bash says which.
  if (!canBeRead(withEdits(script, needed))) return script;
  for (const edit of all) {
    needed.delete(edit);
    if (!canBeRead(withEdits(script, needed))) needed.add(edit);
  }
  return withEdits(script, needed);
}

function redirectionsIn(script: string): Edit[] {
  return [...script.matchAll(redirections)].map(({ index, 0: found }) => [[index + found.length, "\\"]]);
}

/** `for ((…; …; …))` has several expressions. */
function shiftsIn(script: string): Edit[] {
  return [...script.matchAll(shifting)].flatMap(({ index, 1: text = "" }) => {
    let at = index + 2;
    return text.split(";").flatMap((expression): Edit[] => {
      const start = at;
      at += expression.length + 1;
      return expression.includes("<<")
        ? [
            [
              [start, "$(("],
              [at - 1, "))"],
            ],
          ]
        : [];
    });
  });
}

function withEdits(script: string, edits: ReadonlySet<Edit>): string {
  let edited = "";
  let from = 0;
  for (const [at, text] of [...edits].flat().toSorted(([a], [b]) => a - b)) {
    edited += script.slice(from, at) + text;
    from = at;
  }
  return edited + script.slice(from);
}

function canBeRead(script: string): boolean {
  try {
    new Bash({ defenseInDepth: false }).transform(script);
    return true;
  } catch (error) {
    if (error instanceof Error && ["ParseException", "LexerError"].includes(error.name)) return false;
    throw error;
  }
}
