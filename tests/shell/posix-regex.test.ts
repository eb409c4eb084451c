import { describe, expect, test } from "vitest";
import { PatternError, toRegExp, translatePattern } from "../../src/shell/embedded/posix-regex.ts";

/** The first match of an expression in the text, or null. */
const found = (source: string, kind: "basic" | "extended" | "fixed" | "perl", text: string): string | null =>
  toRegExp(source, kind).exec(text)?.[0] ?? null;

describe("an expression finds what it finds in GNU's tools", () => {
  test.each<[source: string, kind: "basic" | "extended" | "fixed" | "perl", text: string, match: string | null]>([
    ["a\\+", "basic", "caab", "aa"],
    ["a+", "basic", "aa+", "a+"],
    ["a+", "extended", "caab", "aa"],
    ["\\(a\\)\\1", "basic", "abaab", "aa"],
    ["(a)\\1", "extended", "abaab", "aa"],
    ["a\\|b", "basic", "cb", "b"],
    ["a|b", "basic", "a|b", "a|b"],
    ["a\\{2\\}", "basic", "aaa", "aa"],
    ["a{2}", "basic", "a{2}", "a{2}"],
    ["a{,2}b", "extended", "aaab", "aab"],
    ["a{x", "extended", "a{x", "a{x"],
    ["*a", "basic", "b*a", "*a"],
    ["^*a", "basic", "*a", "*a"],
    ["a^b", "basic", "a^b", "a^b"],
    ["a$b", "basic", "a$b", "a$b"],
    ["\\(^a\\)", "basic", "ba", null],
    ["[]a]*", "basic", "]a]b", "]a]"],
    ["[^]]*", "basic", "ab]", "ab"],
    ["[a\\]", "basic", "\\", "\\"],
    ["[[:digit:]-]\\+", "basic", "x1-2", "1-2"],
    ["[[:alpha:]]+", "extended", "1äb2", "äb"],
    ["\\bfoo\\b", "basic", "foobar foo", "foo"],
    ["\\<b\\w*", "basic", "abc bcd", "bcd"],
    ["\\$(x)", "extended", "$x", "$x"],
    ["a.b", "fixed", "axb a.b", "a.b"],
    ["(?<=v)\\d+", "perl", "1 v22", "22"],
    ["v\\K\\d+", "perl", "1 v22", "22"],
    ["(?i)ABC", "perl", "xabc", "abc"],
    ["[[:upper:]]\\h", "perl", "aB c", "B "],
    ["a**", "basic", "aaa", "aaa"],
    ["(a*)+", "extended", "aaa", "aaa"],
    ["é", "basic", "café", "é"],
    ["/a]", "extended", "/a]", "/a]"],
    ["a.b", "basic", "a\rb", "a\rb"],
    ["a.b", "extended", "a\u2028b", "a\u2028b"],
    ["a.b", "basic", "a\nb", null],
    ["a.b", "perl", "a\rb", "a\rb"],
    ["a.b", "perl", "a\nb", null],
    ["(?s)a.b", "perl", "a\nb", "a\nb"],
    ["[.]\\.", "perl", "x..", ".."],
  ])("%s (%s) in %j: %j", (source, kind, text, match) => {
    expect(found(source, kind, text)).toBe(match);
  });

  test.each<[source: string, kind: "basic" | "extended", why: string]>([
    ["[a", "basic", "Unmatched [, [^, [:, [., or [="],
    ["\\(a", "basic", "Unmatched ( or \\("],
    ["(a", "extended", "Unmatched ( or \\("],
    ["a\\)", "basic", "Unmatched ) or \\)"],
    ["a\\", "basic", "Trailing backslash"],
    ["[z-a]", "basic", "Invalid range end"],
    ["\\1", "basic", "Invalid back reference"],
    ["[[:nope:]]", "basic", "Invalid character class name"],
  ])("%s (%s) is refused: %s", (source, kind, why) => {
    expect(() => translatePattern(source, kind)).toThrow(new PatternError(why));
  });
});
