// Renders public/icon.svg into the PNGs that installing the app needs. Run `node scripts/icons.mjs` after changing the SVG.
import { readFileSync } from "node:fs";
import { chromium } from "playwright";
import { chromiumArguments, ensureChromium } from "./browser.mjs";

const svg = readFileSync("public/icon.svg", "utf8");
/** The icon that the system cuts to its own shape: the color reaches the edges. The mark stays in the safe zone, 40% around the center. */
const uncut = svg.replace(' rx="14"', "");
if (uncut === svg) throw new Error("public/icon.svg has no rounded corners of 14 any more: update scripts/icons.mjs");

const icons = [
  { file: "icon-192.png", size: 192, image: svg },
  { file: "icon-512.png", size: 512, image: svg },
  { file: "icon-maskable-512.png", size: 512, image: uncut },
  { file: "apple-touch-icon.png", size: 180, image: uncut },
];

const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArguments });
const page = await browser.newPage();
for (const { file, size, image } of icons) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>${image}`);
  await page.screenshot({ path: `public/${file}`, omitBackground: true });
}
// The colors of src/app/style/tokens.css, for the manifest and index.html.
const paper = /--paper: light-dark\((.+\)), (.+\))\);/.exec(readFileSync("src/app/style/tokens.css", "utf8"));
if (!paper) throw new Error("src/app/style/tokens.css has no --paper any more: update scripts/icons.mjs");
for (const colour of paper.slice(1)) {
  const [r, g, b] = await page.evaluate((fill) => {
    const context = document.createElement("canvas").getContext("2d");
    if (!context) return [];
    context.fillStyle = fill;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  }, colour);
  console.log(`${colour} is rgb(${r}, ${g}, ${b})`);
}
await browser.close();
