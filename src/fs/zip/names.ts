import { canonical, type Path } from "../path.ts";

/*
 * A project may have names that an archive can't hold next to each other: `README.md` and `Readme.md`, or a file `a` and a file `a/b`. In a zip the
 * second of them gets a mark at its end. A name that already ends with a mark gets another one, so removing one mark always restores the name.
 */

const mark = /~same-name-\d{1,9}$/;

/**
 * The name of each file in a zip. No two names are equal and none is a folder of another, ignoring case. The same paths always get the same names.
 */
export function zipNames<Name extends string>(paths: readonly Name[]): Map<Name, string> {
  const taken = new Set<string>();
  for (const path of paths) {
    const form = canonicalName(path);
    for (let at = form.indexOf("/"); at >= 0; at = form.indexOf("/", at + 1)) taken.add(form.slice(0, at));
  }
  const names = new Map<Name, string>();
  // Unmarked names first, so that no one loses its name to a marked one.
  const later: Name[] = [];
  for (const path of paths.toSorted(byCodeUnit)) {
    const form = canonicalName(path);
    if (taken.has(form) || mark.test(form)) later.push(path);
    else {
      taken.add(form);
      names.set(path, path);
    }
  }
  const next = new Map<string, number>();
  for (const path of later) {
    const form = canonicalName(path);
    for (let nth = next.get(form) ?? 2; ; nth++) {
      const name = `${path}~same-name-${nth}`;
      next.set(form, nth + 1);
      if (taken.has(canonicalName(name))) continue;
      taken.add(canonicalName(name));
      names.set(path, name);
      break;
    }
  }
  return names;
}

/** The path for which `zipNames` made this name. */
export function withoutMark(name: string): string {
  return name.replace(mark, "");
}

function canonicalName(name: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a path with marks is one, but for its length.
  return canonical(name as Path);
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : 1);
