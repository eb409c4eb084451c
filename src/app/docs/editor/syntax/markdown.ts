import { defineLanguageFacet, Language } from "@codemirror/language";
import { GFM, parser } from "@lezer/markdown";
import { GroupedParser } from "./grouped-parser.ts";
import { withLimits } from "./limits.ts";

export const markdown = new Language(
  defineLanguageFacet({ commentTokens: { block: { open: "<!--", close: "-->" } } }),
  new GroupedParser(parser.configure([GFM, withLimits])),
  [],
  "markdown",
);
