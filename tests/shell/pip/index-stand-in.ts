import { createHash } from "node:crypto";
import type { NetAnswer, NetRequest } from "../../../src/shell/network.ts";
import { packMember, packZip } from "../../../src/shell/embedded/commands/zip-format.ts";

/** A package for a test; each file by its path in the wheel. */
export interface TestWheel {
  readonly name: string;
  readonly version: string;
  /** `Requires-Dist` lines. */
  readonly needs?: readonly string[];
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly scripts?: string;
  /** The part after the version in the file's name. */
  readonly tags?: string;
  readonly python?: string;
  readonly yanked?: boolean;
  /** Serves the METADATA next to the wheel. */
  readonly separate?: boolean;
  /** The package name in its METADATA. By default the right one. */
  readonly says?: string;
  readonly saysVersion?: string;
  /** The hash that the index states, if it is wrong. */
  readonly sha256?: string;
}

export const metadataOf = ({ name, says = name, version, saysVersion = version, needs = [] }: TestWheel): string =>
  [
    "Metadata-Version: 2.1",
    `Name: ${says}`,
    `Version: ${saysVersion}`,
    "Summary: Made for a test",
    ...needs.map((need) => `Requires-Dist: ${need}`),
    "",
    "Text.",
  ].join("\n");

export async function wheelOf(wheel: TestWheel): Promise<Uint8Array> {
  const { name, version, files = { [`${name.replaceAll("-", "_")}.py`]: `VALUE = ${JSON.stringify(version)}\n` }, scripts } = wheel;
  const info = `${name.replaceAll("-", "_")}-${version}.dist-info`;
  const all: Record<string, string | Uint8Array> = {
    ...files,
    [`${info}/METADATA`]: metadataOf(wheel),
    [`${info}/WHEEL`]: "Wheel-Version: 1.0\n",
  };
  if (scripts !== undefined) all[`${info}/entry_points.txt`] = scripts;
  all[`${info}/RECORD`] = "";
  const members = Object.entries(all).map(([path, content]) =>
    packMember(
      path,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
      new Date(Date.UTC(2026, 0, 1)),
      0o644,
      false,
    ),
  );
  return packZip(await Promise.all(members));
}

export interface TestIndex {
  /** The requested addresses, in order. */
  readonly asked: string[];
  readonly network: (request: NetRequest) => Promise<NetAnswer>;
}

const host = "https://files.test";

/** A package index according to PEP 691, at `https://pypi.org/simple`. `others`: by package, files that are not usable wheels. */
export async function testIndex(
  wheels: readonly TestWheel[],
  others: Readonly<Record<string, readonly string[]>> = {},
): Promise<TestIndex> {
  const bodies = new Map<string, Uint8Array>();
  const pages = new Map<string, object[]>(
    Object.entries(others).map(([name, names]) => [name, names.map((filename) => ({ filename, url: `${host}/${filename}`, hashes: {} }))]),
  );
  for (const wheel of wheels) {
    const filename = `${wheel.name.replaceAll("-", "_")}-${wheel.version}-${wheel.tags ?? "py3-none-any"}.whl`;
    const bytes = await wheelOf(wheel);
    bodies.set(`${host}/${filename}`, bytes);
    if (wheel.separate === true) bodies.set(`${host}/${filename}.metadata`, new TextEncoder().encode(metadataOf(wheel)));
    const page = pages.get(wheel.name) ?? [];
    pages.set(wheel.name, page);
    page.push({
      filename,
      url: `${host}/${filename}`,
      hashes: { sha256: wheel.sha256 ?? createHash("sha256").update(bytes).digest("hex") },
      "requires-python": wheel.python ?? null,
      "core-metadata": wheel.separate === true,
      yanked: wheel.yanked ?? false,
    });
  }
  const asked: string[] = [];
  return {
    asked,
    async network({ url }) {
      asked.push(url);
      const name = /^https:\/\/pypi\.org\/simple\/([^/]+)\/$/.exec(url)?.[1];
      const page = name === undefined ? undefined : pages.get(name);
      const body = page ? new TextEncoder().encode(JSON.stringify({ name, files: page })) : bodies.get(url);
      return { kind: "answer", url, status: body ? 200 : 404, statusText: "", headers: [], body: body ?? new Uint8Array() };
    },
  };
}
