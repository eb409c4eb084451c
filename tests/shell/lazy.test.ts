import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const folder = new URL("../../src/shell/embedded/", import.meta.url);

/** The modules that a module imports, without types, including indirect imports. */
async function imported(module: URL, met: Set<string>): Promise<Set<string>> {
  if (met.has(module.href)) return met;
  met.add(module.href);
  const text = await readFile(module, "utf8");
  for (const [, names = "", from = ""] of text.matchAll(/^import (?!type )([^;]*?) from "([^"]+)";/gms)) {
    if (/^\{\s*type [^,]*\}$/.test(names)) continue;
    if (from.startsWith(".")) await imported(new URL(from, module), met);
    else met.add(from);
  }
  return met;
}

/**
 * If just-bash were shared with code that is fetched later, it would be in a separate script, which would run before harden.ts removes the
 * network.
 */
test("code that is fetched when a command is called does not import just-bash", async () => {
  const index = await readFile(new URL("commands/index.ts", folder), "utf8");
  const lazy = [...index.matchAll(/import\("([^"]+)"\)/g)].map(([, path = ""]) => new URL(path, new URL("commands/", folder)));
  expect(lazy.length).toBeGreaterThan(5);
  for (const module of lazy) expect([...(await imported(module, new Set()))].filter((name) => name.includes("just-bash"))).toEqual([]);
});
