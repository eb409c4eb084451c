import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/*
 * The phone contract's requirements for the app on a phone (section 8). e2e/screens.spec.ts checks widths from 360 px, touch targets of 44 px
 * and colors on every screen; e2e/offline.spec.ts checks the start without a network.
 */

const page = readFileSync("index.html", "utf8");
const manifest = JSON.parse(readFileSync("public/manifest.webmanifest", "utf8")) as {
  readonly orientation?: string;
  readonly display?: string;
  readonly start_url?: string;
  readonly icons: readonly { readonly sizes: string; readonly purpose?: string; readonly src: string }[];
};
const meta = (name: string) => new RegExp(`<meta name="${name}"[^>]*content="([^"]*)"`).exec(page)?.[1]?.split(/,\s*/) ?? [];

test("the viewport is the device's, and reaches below a notch", () => {
  expect(meta("viewport")).toEqual(expect.arrayContaining(["width=device-width", "initial-scale=1", "viewport-fit=cover"]));
  // A user with poor sight can zoom in.
  expect(meta("viewport").join()).not.toMatch(/user-scalable|maximum-scale/);
});

test("it installs as an app that stands upright, with icons of the sizes that phones ask for", () => {
  expect([manifest.orientation, manifest.display, manifest.start_url]).toEqual(["portrait-primary", "standalone", "./"]);
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(["192x192", "512x512"]));
  expect(manifest.icons.some(({ purpose }) => purpose === "maskable")).toBe(true);
  for (const { src } of manifest.icons) expect(readFileSync(`public/${src}`).length).toBeGreaterThan(0);
  expect(page).toContain('rel="apple-touch-icon"');
});

test("the colour of the browser's own bar is that of the page, in the light and in the dark", () => {
  expect(page).toMatch(/<meta name="theme-color" media="\(prefers-color-scheme: light\)" content="#[0-9a-f]{6}">/);
  expect(page).toMatch(/<meta name="theme-color" media="\(prefers-color-scheme: dark\)" content="#[0-9a-f]{6}">/);
});

describe("nothing stands below a notch or the bar of gestures", () => {
  const styles = readdirSync("src/app/style")
    .map((name) => readFileSync(`src/app/style/${name}`, "utf8"))
    .join("\n");
  test.each(["top", "bottom", "left", "right"])("%s", (side) => {
    expect(styles).toContain(`env(safe-area-inset-${side})`);
  });
});
