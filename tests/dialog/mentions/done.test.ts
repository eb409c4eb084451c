import { expect, test } from "vitest";
import { saysDone } from "../../../src/dialog/mentions/done.ts";

test.each([
  "DONE",
  "DONE.\n",
  "We agree.\n\nDONE",
  "We agree. DONE",
  "We agree (all of us.) DONE!",
  "We agree!\n**DONE**",
  "> a quote\n\nDONE",
  "```\ncode\n```\nDONE",
  "Use `x`.\n  DONE  \n\n",
])("%j says that the agent is done", (text) => expect(saysDone(text)).toBe(true));

test.each([
  "",
  "done",
  "Done.",
  "DONE, I think",
  "DONE\nor not",
  "I'm not DONE",
  "I will write DONE.",
  "Step 1: DONE",
  "1. DONE",
  "- DONE",
  "UNDONE",
  "We agree. DONE2",
  '"DONE"',
  'Write "DONE"',
  "Write it. `DONE`",
  "```\nDONE",
  "```\nDONE\n```",
  "We agree. DONE\n```\ncode",
  "We agree. DONE\n```\nx. DONE",
  "We agree. DONE `x`",
  "> DONE",
  "> it said\nDONE",
  "We agree. DONE\n> why",
  "We agree.\n\n    DONE",
  "We agree.\n\n\tDONE",
  "<!-- DONE -->",
])("%j doesn't", (text) => expect(saysDone(text)).toBe(false));
