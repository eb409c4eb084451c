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
      const why = problemOfKeys(document, unique);
      return why === null ? { ok: true, document } : { ok: false, why };
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

/** A longer key is cut in a message. In UTF-16 units. */
const maxKeyShown = 60;

/**
 * What is wrong with the keys: one is a list or a mapping, which the parser prints to get its name, repeatedly for nested keys; or, with `unique`,
 * one appears twice. Null if nothing is.
 */
function problemOfKeys(document: Document, unique: boolean): string | null {
  let problem: string | null = null;
  visit(document, {
    Map(_, { items }) {
      if (items.some(({ key }) => isCollection(key))) problem = "expected keys that are texts, and one is a list or a mapping.";
      else if (unique) problem = twiceIn(items.flatMap(({ key }) => (isScalar(key) && !Number.isNaN(key.value) ? [key.value] : [])));
      return problem === null ? undefined : visit.BREAK;
    },
  });
  return problem;
}

/** Says which key appears twice. Null if none does. */
function twiceIn(keys: readonly unknown[]): string | null {
  const seen = new Set<unknown>();
  for (const key of keys) {
    if (seen.has(key)) return `the key ${JSON.stringify(String(key).slice(0, maxKeyShown))} appears twice.`;
    seen.add(key);
  }
  return null;
}
