import { createMemo } from "solid-js";
import { formatRoute } from "../model/route.ts";
import type { Surroundings } from "./editor/links.ts";
import { docRef } from "./file-groups.ts";
import type { FileLists } from "./files.ts";

/** Which files the links and bare names of a text can lead to. */
export function surroundingsOf(files: FileLists): Surroundings {
  const known = createMemo(() => new Set([...files.names().map((name) => `vibey/${name}`), ...files.deed().map(({ path }) => path)]));
  return {
    hrefOf: (target) => {
      const path = target.replace(/^\.\//, "").replace(/#.*$/, "");
      const found = known().has(`vibey/${path}`) ? docRef(path) : known().has(path) ? ({ kind: "deed", path } as const) : null;
      return found && formatRoute({ tab: "docs", file: found });
    },
    hasDoc: (name) => known().has(`vibey/${name}`),
  };
}
