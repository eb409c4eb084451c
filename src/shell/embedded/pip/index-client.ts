import type { ShellHost } from "../host.ts";
import { fromBytes } from "../encoding.ts";
import { PipError } from "./failure.ts";
import { isPureWheel, parseWheelName, type WheelName } from "./wheel-name.ts";

/** A wheel of pure Python that an index has. */
export interface IndexedWheel extends WheelName {
  readonly filename: string;
  /** Absolute. */
  readonly url: string;
  readonly sha256: string | null;
  /** Versions of Python, such as `>=3.9`; null: any. */
  readonly python: string | null;
  /** Where its METADATA alone can be had; null: only in the wheel. */
  readonly metadata: string | null;
  readonly isYanked: boolean;
}

/** What an index has of a package. */
export interface IndexedPackage {
  readonly wheels: readonly IndexedWheel[];
  /** Whether it has other files: wheels for certain machines, and archives of source. */
  readonly hasOthers: boolean;
}

export interface PackageIndex {
  /** null: it has no such package. */
  find(name: string): Promise<IndexedPackage | null>;
  /** The bytes of a file of the index. */
  get(url: string): Promise<Uint8Array>;
}

export const defaultIndex = "https://pypi.org/simple";

/**
 * An index of packages that speaks the JSON of PEP 691.
 *
 * @param address without a slash at the end
 * @throws PipError (from its functions) when the index can't be reached or answers with something else
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
    // What it is instead is said below.
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
