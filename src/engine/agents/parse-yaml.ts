import { Composer, type CST, type Document, isCollection, isScalar, Parser, visit } from "yaml";
import { isDeep } from "./yaml-depth.ts";

export type ReadYaml = { readonly ok: true; readonly document: Document } | { readonly ok: false; readonly why: string };

/** The first thing that isn't valid. */
class Invalid extends Error {}

/**
 * The first document of a text that is valid YAML, not too deep, and has only texts as keys; `unique`: each once. Reading ends at the first fault: a text
 * of nothing else makes the parser build an error for each character.
 */
export function parseYaml(text: string, { unique }: { readonly unique: boolean }): ReadYaml {
  if (isDeep(text)) return { ok: false, why: "it is nested too deep." };
  // The parser looks for keys that stand twice, too, and compares each with all before it.
  const composer = new Composer({ logLevel: "silent", uniqueKeys: false });
  const onError = (_source: unknown, _code: string, message: string, isWarning?: boolean) => {
    if (isWarning !== true) throw new Invalid(message);
  };
  Object.assign(composer, { onError });
  try {
    for (const document of composer.compose(firstOf(new Parser().parse(text)), true, text.length)) {
      const [error] = document.errors;
      if (error) return { ok: false, why: error.message };
      return isOddlyKeyed(document, unique)
        ? { ok: false, why: "expected keys that are texts, and one is a list or a mapping." }
        : { ok: true, document };
    }
    throw new Error("there is no document");
  } catch (error) {
    if (error instanceof Invalid) return { ok: false, why: error.message };
    throw error;
  }
}

/** What belongs to the first document. */
function* firstOf(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  let isIn = false;
  for (const token of tokens) {
    if (token.type === "error")
      throw new Invalid(token.source === "" ? token.message : `${token.message}: ${JSON.stringify(token.source)}`);
    if (token.type === "document" && isIn) return;
    isIn ||= token.type === "document";
    yield token;
  }
}

/** Whether a key is a list or a mapping: it is printed to get its name, and so is each key within it, again and again. `unique`: or stands twice. */
function isOddlyKeyed(document: Document, unique: boolean): boolean {
  let found = false;
  visit(document, {
    Map(_, { items }) {
      const values = items.flatMap(({ key }) => (isScalar(key) && !Number.isNaN(key.value) ? [key.value] : []));
      found ||= items.some(({ key }) => isCollection(key)) || (unique && new Set(values).size < values.length);
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
}
