import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limits } from "../../../src/protocol/limits.ts";
import { fittedTokens, namedLimit } from "../../../src/engine/providers/tokens.ts";

describe("the most tokens of a response", () => {
  test.each([
    ["nothing is known", { allowed: null, window: null, soFar: null, bound: null }, 64_000],
    ["the model allows less", { allowed: 8_192, window: null, soFar: null, bound: null }, 8_192],
    ["the model allows more", { allowed: 128_000, window: null, soFar: null, bound: null }, 64_000],
    ["a large window", { allowed: null, window: 1_000_000, soFar: 500_000, bound: null }, 64_000],
    ["a window that fills up", { allowed: null, window: 200_000, soFar: 180_000, bound: null }, 16_000],
    ["a full window", { allowed: null, window: 200_000, soFar: 199_000, bound: null }, 1_024],
    ["a window that was full before", { allowed: null, window: 200_000, soFar: 900_000, bound: null }, 1_024],
    ["a small window of which nothing is known", { allowed: null, window: 32_768, soFar: null, bound: null }, 15_360],
    ["less is allowed by the agent's file", { allowed: null, window: null, soFar: null, bound: 500 }, 500],
    ["more is allowed by the agent's file", { allowed: 8_192, window: null, soFar: null, bound: 9_000 }, 8_192],
    ["a tiny one", { allowed: null, window: 2_048, soFar: null, bound: null }, 1_024],
  ])("%s", (_what, room, tokens) => expect(fittedTokens(room)).toBe(tokens));

  test("is never under 1,024, never over the limits, and leaves room when there is any", () => {
    const tokens = fc.option(fc.integer({ min: 1_024, max: 2_000_000 }));
    fc.assert(
      fc.property(tokens, tokens, tokens, (allowed, window, soFar) => {
        const fitted = fittedTokens({ allowed, window, soFar, bound: null });
        expect(fitted).toBeGreaterThanOrEqual(1_024);
        expect(fitted).toBeLessThanOrEqual(Math.min(limits.responseTokens, allowed ?? limits.responseTokens));
        if (window !== null && soFar !== null && fitted > 1_024) expect(soFar + fitted).toBeLessThanOrEqual(window - 1_024);
      }),
    );
  });
});

describe("the limit that a refusal names", () => {
  test("is none where the prompt alone is too large: asking for less would not help", () => {
    const text =
      "This model's maximum context length is 32768 tokens. However, you requested 16000 output tokens and your prompt contains 40000 input tokens, for a total of 56000 tokens.";
    expect(namedLimit(text, 16_000)).toBeNull();
  });

  test.each([
    ["max_tokens is too large: 64000. This model supports at most 16384 completion tokens", 16_384, null, false],
    ["`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens`", 8_192, null, false],
    ["Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8_192, null, false],
    ["it has a maxOutputTokens value of 64000 but the supported range is from 1 (inclusive) to 8193 (exclusive)", 8_192, null, false],
    ["`inputs` tokens + `max_new_tokens` must be <= 32769. Given: 120 `inputs` tokens and 64000 `max_new_tokens`", 32_649, 32_769, false],
    ["requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 4000", 4_000, null, true],
    ["input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000", 10_000, 200_000, false],
    [
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 64120 tokens (120 of text input, 64000 in the output).",
      32_648,
      32_768,
      false,
    ],
    ["Request too large on tokens per min (TPM): Limit 30000, Requested 64500.", 29_500, null, true],
    [
      "max_tokens=64000cannot be greater than max_model_len=max_total_tokens=32768. Please request fewer output tokens.",
      16_384,
      32_768,
      false,
    ],
    ["max_completion_tokens=64000 cannot be greater than max_model_len=16384. Please request fewer output tokens.", 8_192, 16_384, false],
    [
      "This model's maximum context length is 131072 tokens. However, you requested 64000 output tokens and your prompt contains 70000 input tokens, for a total of 134000 tokens.",
      61_072,
      131_072,
      false,
    ],
    [
      "This model's maximum context length is 131072 tokens. However, you requested 64000 output tokens and your prompt contains at least 67073 input tokens, for a total of at least 131073 tokens.",
      32_000,
      131_072,
      false,
    ],
    [
      "This model's maximum context length is 40960 tokens. However, you requested 40960 output tokens and your prompt contains 12769 characters.",
      20_480,
      40_960,
      false,
    ],
    [
      "This model's maximum context length is 32768 tokens. However, your request has 120 input tokens plus 64000 'max_tokens'. Please reduce one or the other.",
      32_648,
      32_768,
      false,
    ],
    [
      "This model's maximum context length is 32768 tokens and your request has 120 input tokens (64000 > 32768 - 120).",
      32_648,
      32_768,
      false,
    ],
    [
      "Requested token count exceeds the model's maximum context length of 32768 tokens. You requested a total of 64120 tokens: 120 tokens from the input messages and 64000 tokens for the completion.",
      32_647,
      32_768,
      false,
    ],
    ["Please reduce the length of the messages or completion. Current length is 64120 while limit is 32768", 32_648, 32_768, false],
    ["Invalid request: Your request exceeded model token limit: 131072 (requested: 151000)", 44_072, 131_072, false],
    [
      "The maximum tokens you requested exceeds the model limit of 8192. Try again with a maximum tokens value that is lower than 8192.",
      8_192,
      null,
      false,
    ],
  ])("%s", (said, tokens, window, passing) => expect(namedLimit(said, 64_000)).toEqual({ tokens, window, passing }));

  test.each(["Request too large on tokens per min (TPM): Limit 300, Requested 64500.", "tool 4096 at most 4096", ""])(
    "none in: %s",
    (said) => expect(namedLimit(said, 64_000)).toBeNull(),
  );
});
