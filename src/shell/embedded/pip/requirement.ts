import { validRange } from "@renovatebot/pep440";
import { PipError } from "./failure.ts";

/** A requirement (PEP 508): `requests[socks]>=2.8,<3; python_version < "4"`. */
export interface Requirement {
  /** Normalized: lower case, with `-`. */
  readonly name: string;
  readonly extras: readonly string[];
  /** Versions, such as `>=2.8,<3`; "": any. */
  readonly versions: string;
  /** The condition; null: always. */
  readonly marker: string | null;
  /** The text as written, for messages. */
  readonly text: string;
}

/** A package's normalized name (PEP 503). */
export function normalized(name: string): string {
  return name.replaceAll(/[-_.]+/g, "-").toLowerCase();
}

/** In UTF-16 units. */
const mostText = 4_000;

const shape = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[([^\]]*)\])?\s*(.*)$/s;

/** @throws PipError if it is invalid, or if it names a file or an address */
export function parseRequirement(given: string): Requirement {
  const text = given.trim();
  if (text.length > mostText) throw new PipError(`Invalid requirement: it has more than ${mostText} characters`);
  if (/^(?:[./~]|[a-z+]+:\/\/|file:)/i.test(text) || /^(?:.*\/)?[^\s;]*\.(?:whl|zip|tar\.gz)$/.test(text))
    throw new PipError(
      `${text}: only packages of the index can be installed here, by their names; code of your own is found with PYTHONPATH`,
    );
  const found = shape.exec(text);
  if (found === null) throw new PipError(`Invalid requirement: '${text}'`);
  const [, name = "", extras = "", after = ""] = found;
  if (after.startsWith("@")) throw new PipError(`${name}: a package from an address can't be installed here, only those of the index`);
  const cut = after.indexOf(";");
  const versions = (cut < 0 ? after : after.slice(0, cut))
    .trim()
    .replace(/^\((.*)\)$/s, "$1")
    .replaceAll(/\s+/g, "");
  if (versions !== "" && !validRange(versions)) throw new PipError(`Invalid requirement: '${text}'`);
  return {
    name: normalized(name),
    extras: extras
      .split(",")
      .map((extra) => extra.trim())
      .filter((extra) => extra !== "")
      .map(normalized),
    versions,
    marker: cut < 0 ? null : after.slice(cut + 1).trim(),
    text,
  };
}
