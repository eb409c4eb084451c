import { valid } from "@renovatebot/pep440";
import { normalized } from "./requirement.ts";

/** What a wheel's file name says: `requests-2.32.3-py3-none-any.whl`. */
export interface WheelName {
  /** As indexes compare it. */
  readonly name: string;
  readonly version: string;
  readonly pythons: readonly string[];
  readonly abis: readonly string[];
  readonly platforms: readonly string[];
}

/** null: it is none. */
export function parseWheelName(filename: string): WheelName | null {
  const parts = filename.endsWith(".whl") ? filename.slice(0, -4).split("-") : [];
  if (parts.length !== 5 && parts.length !== 6) return null;
  const [name = "", version = ""] = parts;
  const [pythons = "", abis = "", platforms = ""] = parts.slice(-3);
  if (name === "" || valid(version) === null) return null;
  return { name: normalized(name), version, pythons: pythons.split("."), abis: abis.split("."), platforms: platforms.split(".") };
}

/** Without native code, and for a Python 3 that is not newer than ours. */
export function isPureWheel({ pythons, abis, platforms }: WheelName): boolean {
  return abis.includes("none") && platforms.includes("any") && pythons.some((python) => /^(?:py|cp)3(?:[0-9]|1[0-4])?$/.test(python));
}
