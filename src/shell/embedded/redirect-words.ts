import { Bash } from "just-bash/browser";

/** Where a redirection may have a word such as `a=b` for its target, which just-bash takes for an assignment. */
const places = /(?:<<<|&>>?|>\||>>?|<)[ \t]*(?=[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?=)/g;

/** In a script with more of them none is looked at: each takes as long as reading the script. */
const mostPlaces = 100;

/**
 * The script with a backslash before each target of a redirection that just-bash refuses (`cat <<< aGk=`). One is put in only where the script can't be
 * read without it, so nothing else that looks the same changes, such as the text of a here-document.
 */
export function withRedirectWords(script: string): string {
  const all = [...script.matchAll(places)].map(({ index, 0: found }) => index + found.length);
  if (all.length === 0 || all.length > mostPlaces || failureOf(script)?.includes("Expected redirection target") !== true) return script;
  const needed = new Set(all);
  // Another mistake is in it, too: just-bash says which.
  if (failureOf(withMarks(script, needed)) !== null) return script;
  for (const at of all) {
    needed.delete(at);
    if (failureOf(withMarks(script, needed)) !== null) needed.add(at);
  }
  return withMarks(script, needed);
}

function withMarks(script: string, at: ReadonlySet<number>): string {
  let marked = "";
  let from = 0;
  for (const place of [...at].toSorted((a, b) => a - b)) {
    marked += `${script.slice(from, place)}\\`;
    from = place;
  }
  return marked + script.slice(from);
}

/** null: it can be read. */
function failureOf(script: string): string | null {
  try {
    new Bash({ defenseInDepth: false }).transform(script);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
