import type { ShellHost } from "../host.ts";
import { fromBytes } from "../encoding.ts";
import { PipError } from "./failure.ts";
import { isPureWheel, parseWheelName, type WheelName } from "./wheel-name.ts";

/** A pure Python wheel in an index. */
export interface IndexedWheel extends WheelName {
  readonly filename: string;
  /** Absolute. */
  readonly url: string;
  readonly sha256: string | null;
  /** The supported versions of Python, such as `>=3.9`; null: any. */
  readonly python: string | null;
  /** The address of its METADATA file alone; null: it is only in the wheel. */
  readonly metadata: string | null;
  readonly isYanked: boolean;
}

/** What an index has for a package. */
export interface IndexedPackage {
  readonly wheels: readonly IndexedWheel[];
  /** Whether there are other files: wheels for specific machines, and source archives. */
  readonly hasOthers: boolean;
}

export interface PackageIndex {
  /** Null: the index has no such package. */
  find(name: string): Promise<IndexedPackage | null>;
  /** Fetches a file of the index. */
  get(url: string): Promise<Uint8Array>;
}

export const defaultIndex = "https://pypi.org/simple";

/**
 * A package index that speaks the JSON of PEP 691.
 *
 * @param address without a trailing slash
 * @throws PipError (from its functions) if the index can't be reached or gives an unexpected answer
 */
export function packageIndex(host: Pick<ShellHost, "fetch" | "stop">, address: string): PackageIndex {
  const known = new Map<string, Promise<IndexedPackage | null>>();

  async function request(url: string, accept: string): Promise<{ readonly status: number; readonly body: Uint8Array }> {
    if (host.stop() !== null) throw new PipError("stopped; nothing was installed");
    const answer = await host.fetch({ url, method: "GET", headers: [["accept", accept]], body: null, program: "pip", follow: true });
    if (answer.kind === "refused") throw new PipError(`the request to ${url} was refused: ${answer.why}`);
    if (answer.kind === "failed") throw new PipError(`${url} can't be reached: ${answer.why}`);
    return answer;
  }

  async function load(name: string): Promise<IndexedPackage | null> {
    const page = `${address}/${name}/`;
    const { status, body } = await request(page, "application/vnd.pypi.simple.v1+json");
    if (status === 404) return null;
    if (status !== 200) throw new PipError(`${page} answers with the status ${status}`);
    return readPage(name, page, body);
  }

  return {
    find(name) {
      const asked = known.get(name) ?? load(name);
      known.set(name, asked);
      return asked;
    },
    async get(url) {
      const { status, body } = await request(url, "*/*");
      if (status !== 200) throw new PipError(`${url} answers with the status ${status}`);
      return body;
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

function readPage(name: string, page: string, body: Uint8Array): IndexedPackage {
  let raw: unknown;
  try {
    raw = JSON.parse(fromBytes(body, undefined));
  } catch {
    // The error is thrown below.
    raw = null;
  }
  if (!isRecord(raw) || !Array.isArray(raw["files"]))
    throw new PipError(`${page} does not answer with the JSON of a package index (PEP 691)`);
  const files = raw["files"].filter(isRecord);
  const wheels = files.flatMap((file): IndexedWheel[] => {
    const filename = textOf(file["filename"]);
    const url = textOf(file["url"]);
    const parts = filename === null ? null : parseWheelName(filename);
    if (filename === null || url === null || parts === null || parts.name !== name || !isPureWheel(parts) || !URL.canParse(url, page))
      return [];
    const hashes = isRecord(file["hashes"]) ? file["hashes"] : {};
    const address = new URL(url, page).href;
    const hasMetadata = [file["core-metadata"], file["dist-info-metadata"]].some((value) => value === true || isRecord(value));
    return [
      {
        ...parts,
        filename,
        url: address,
        sha256: textOf(hashes["sha256"])?.toLowerCase() ?? null,
        python: textOf(file["requires-python"]),
        metadata: hasMetadata ? `${address}.metadata` : null,
        isYanked: file["yanked"] !== undefined && file["yanked"] !== false,
      },
    ];
  });
  return { wheels, hasOthers: wheels.length < files.length };
}
