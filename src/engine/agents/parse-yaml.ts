import { Composer, type CST, type Document, isCollection, isScalar, Parser, visit } from "yaml";
import { isDeep } from "./yaml-depth.ts";

export type ReadYaml = { readonly ok: true; readonly document: Document } | { readonly ok: false; readonly why: string };

/** The first error in the text. */
class Invalid extends Error {}

/**
 * Parses the first document of a text that is valid YAML, not nested too deeply, and has only scalars as keys. `unique`: no key appears twice.
 * Stops at the first error, because otherwise the parser builds an error for each character of an invalid text.
 */
export function parseYaml(text: string, { unique }: { readonly unique: boolean }): ReadYaml {
  if (isDeep(text)) return { ok: false, why: "it is nested too deep." };
  // The parser's own check for duplicate keys compares each key with all before it.
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

/** The tokens of the first document. */
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

/**
 * Whether a key is a list or a mapping, which the parser prints to get its name, repeatedly for nested keys. With `unique`, also whether a key
 * appears twice.
 */
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
