import type { Page } from "@playwright/test";
import { expect } from "../app.ts";
import { holdAs, phone, wide } from "./visit.ts";

/** Takes a picture of a screen and compares it with the picture of the last run. */
export async function picture(page: Page, name: string, place: "wide" | "phone"): Promise<void> {
  // The plain field is shown only for a moment.
  await expect(page.locator("textarea.editor")).toHaveCount(0);
  await page.evaluate(makeLasting);
  // Move the pointer away, so that it highlights nothing.
  await page.mouse.move(0, 0);
  // A picture has the size that Playwright knows, and Playwright doesn't know about the override.
  await page.setViewportSize(place === "phone" ? phone : wide);
  await holdAs(page, place === "phone" ? phone : wide, false);
  await expect.soft(page).toHaveScreenshot(`${name.replaceAll(/[^\w]+/g, "-")}-${place}.png`, {
    animations: "disabled",
    caret: "hide",
    mask: [page.locator("[data-passing]"), page.locator("iframe")],
    maskColor: "#888",
    maxDiffPixelRatio: 0.01,
  });
}

/**
 * Replaces times, days, durations and ports, which differ in each run, with fixed ones: the engine's clock can't be stopped.
 * Text in a field stays, but is covered.
 */
function makeLasting(): void {
  const month = "(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*";
  const lasting: readonly (readonly [RegExp, string])[] = [
    [/(?<![\d.:])\d{1,2}:\d{2}(:\d{2})?( [AP]M)?( – \d{1,2}:\d{2}(:\d{2})?( [AP]M)?)?(?!\d)/g, "10:00"],
    [new RegExp(`\\b(\\d{1,2} ${month}|${month} \\d{1,2})(,? \\d{4})?`, "g"), "22 November"],
    [/\b\d+(\.\d+)? (ms|s|seconds?)\b/g, "1 s"],
    [/\b\d+(\.\d+)? ([kKM]B)\b/g, "1 $2"],
    [/127\.0\.0\.1:\d+/g, "127.0.0.1:port"],
    [/\b\d{8}-\d{6}-/g, "20261122-100000-"],
    [/\b[0-9a-f]{7,40}\b/g, "0123456"],
  ];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    if (node.parentElement?.isContentEditable === true) continue;
    const text = lasting.reduce((said, [passing, kept]) => said.replace(passing, kept), node.data);
    if (text !== node.data) node.data = text;
  }
  for (const field of document.querySelectorAll("input, select")) {
    const isPassing = field instanceof HTMLInputElement ? field.value.includes("127.0.0.1:") : field.textContent.includes("127.0.0.1:");
    field.toggleAttribute("data-passing", isPassing);
  }
}
