import { valid } from "@renovatebot/pep440";
import { normalized } from "./requirement.ts";

/** The parts of a wheel's file name: `requests-2.32.3-py3-none-any.whl`. */
export interface WheelName {
  /** The normalized name. */
  readonly name: string;
  readonly version: string;
  readonly pythons: readonly string[];
  readonly abis: readonly string[];
  readonly platforms: readonly string[];
}

/** Null: the name is not a wheel's. */
export function parseWheelName(filename: string): WheelName | null {
  const parts = filename.endsWith(".whl") ? filename.slice(0, -4).split("-") : [];
  if (parts.length !== 5 && parts.length !== 6) return null;
  const [name = "", version = ""] = parts;
  const [pythons = "", abis = "", platforms = ""] = parts.slice(-3);
  if (name === "" || valid(version) === null) return null;
  return { name: normalized(name), version, pythons: pythons.split("."), abis: abis.split("."), platforms: platforms.split(".") };
}

/** Whether the wheel has no native code, and is for a Python 3 that is not newer than ours. */
export function isPureWheel({ pythons, abis, platforms }: WheelName): boolean {
  return abis.includes("none") && platforms.includes("any") && pythons.some((python) => /^(?:py|cp)3(?:[0-9]|1[0-4])?$/.test(python));
}
