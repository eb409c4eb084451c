// node scripts/prices.mjs: writes src/engine/cost/list-table.ts from the price data of the package named below. For newer prices, set a newer
// version, its integrity and its publishing date: npm view @pydantic/genai-prices@<version> dist.integrity time
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const version = "0.1.8";
const integrity = "sha512-h7CYw6qTyflG2zUndO8tXyL8Xopf+tX9JZu13h0ZFgeyYj+J2gm1edR4+R+mbQ2vPdkFjtTmmmu1cYQPM5/KTA==";
const published = "2026-09-23";

/** The only address at which a provider's list prices apply. Routers such as OpenRouter list their own prices. */
const origins = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com",
  google: "https://generativelanguage.googleapis.com",
  deepseek: "https://api.deepseek.com",
  mistral: "https://api.mistral.ai",
  "x-ai": "https://api.x.ai",
  groq: "https://api.groq.com",
  moonshotai: "https://api.moonshot.ai",
  together: "https://api.together.xyz",
  cerebras: "https://api.cerebras.ai",
  fireworks: "https://api.fireworks.ai",
  cohere: "https://api.cohere.ai",
};

/** @typedef {{ base: number, tiers: { start: number, price: number }[] }} Tiered */
/** @typedef {Record<string, number | Tiered | undefined>} Prices */
/** @typedef {{ constraint?: { type: string, start_date?: string, start_time?: string, end_time?: string }, prices: Prices }} Conditional */
/** @typedef {Record<string, any>} Match */

const tarball = Buffer.from(
  await (await fetch(`https://registry.npmjs.org/@pydantic/genai-prices/-/genai-prices-${version}.tgz`)).arrayBuffer(),
);
const found = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
if (found !== integrity) throw new Error(`expected version ${version} with ${integrity}, got ${found}`);

const folder = mkdtempSync(join(tmpdir(), "vibey-prices-"));
const code = join(folder, "prices.mjs");
writeFileSync(code, fileIn(gunzipSync(tarball), "package/dist/index.js"));
const { findProvider } = await import(pathToFileURL(code).href);
rmSync(folder, { recursive: true });

const lines = Object.entries(origins).flatMap(([providerId, origin]) => {
  const provider = findProvider({ providerId });
  if (!provider) throw new Error(`no provider ${providerId}`);
  return [origin, ...provider.models.flatMap(row)];
});
writeFileSync(
  resolve(import.meta.dirname, "../src/engine/cost/list-table.ts"),
  `// Made by scripts/prices.mjs. The data is that of @pydantic/genai-prices ${version}: copyright Pydantic Services Inc., MIT licence.

/** The date of the prices: the day on which the data was published. */
export const listDate = "${published}";

/** An address, then its models: name, regular expression, prices (see \`readListTable\`), separated by tabs. */
export const listTable = String.raw\`
${lines.join("\n")}
\`;
`,
);

/** @param {{ id: string, match: Match, prices: Prices | Conditional[] }} model @returns {string[]} */
function row({ id, match, prices }) {
  /** @type {Conditional[]} */
  const all = Array.isArray(prices) ? prices : [{ prices }];
  const written = all.map(priceText);
  // Leave out a model without a price for input or output, such as an embedding model: agents can't use it.
  if (written.some((text) => text === null)) return [];
  return [[nameOf(id, match), patternOf(match), written.join(";")].join("\t")];
}

/** @param {Conditional} conditional @returns {string | null} */
function priceText({ constraint, prices }) {
  const { input_mtok: input, output_mtok: output, cache_read_mtok: read, cache_write_mtok: write } = prices;
  if (input === undefined || output === undefined) return null;
  const four = [input, output, read, write];
  const tiers = four.flatMap((price) => (typeof price === "object" ? price.tiers.map(({ start }) => start) : []));
  const starts = [...new Set(tiers)].toSorted((a, b) => a - b);
  const at = (/** @type {number} */ tokens) =>
    four
      .map((price) => {
        if (price === undefined) return "-";
        if (typeof price === "number") return price;
        return price.tiers.findLast(({ start }) => start <= tokens)?.price ?? price.base;
      })
      .join(" ");
  return [at(0), ...starts.map((start) => `>${start} ${at(start)}`), ...when(constraint)].join(" ");
}

/** @param {Conditional["constraint"]} constraint @returns {string[]} */
function when(constraint) {
  if (constraint === undefined) return [];
  if (constraint.type === "start_date") return [`@${constraint.start_date}`];
  if (constraint.type === "time_of_date") return [`@${constraint.start_time?.slice(0, 5)}-${constraint.end_time?.slice(0, 5)}`];
  throw new Error(`unknown constraint ${constraint.type}`);
}

/** The model name that the provider accepts: not every id in the package is one. @param {string} id @param {Match} match @returns {string} */
function nameOf(id, match) {
  if (new RegExp(patternOf(match).replaceAll("~", "")).test(id)) return id;
  const [kind, value] = Object.entries(match)[0] ?? [];
  return typeof value === "string" && kind !== "regex" ? value : Array.isArray(value) ? nameOf(id, value[0]) : id;
}

/** @param {Match} match @returns {string} in lower case */
function patternOf(match) {
  const escaped = (/** @type {string} */ text) => text.toLowerCase().replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const [kind, value] = Object.entries(match)[0] ?? [];
  switch (kind) {
    case "or":
      return value.map(patternOf).join("|");
    case "and":
      return `^${value.map(ahead).join("")}`;
    case "equals":
      return `^${escaped(value)}$`;
    case "starts_with":
      // Don't match another model that only shares the prefix: see `readListTable`.
      return `^${escaped(value)}~`;
    case "ends_with":
      return `${escaped(value)}$`;
    case "contains":
      return escaped(value);
    case "regex":
      return value;
    default:
      throw new Error(`unknown way to match: ${kind}`);
  }
}

/** @param {Match} match @returns {string} */
function ahead(match) {
  const pattern = patternOf(match);
  return pattern.startsWith("^") ? `(?=${pattern.slice(1)})` : `(?=.*(?:${pattern}))`;
}

/** @param {Buffer} tar @param {string} wanted */
function fileIn(tar, wanted) {
  for (let at = 0; at < tar.length; ) {
    const name = tar.toString("utf8", at, at + 100).replace(/\0.*$/s, "");
    const size = Number.parseInt(tar.toString("utf8", at + 124, at + 136), 8) || 0;
    if (name === wanted) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`no ${wanted} in the package`);
}
