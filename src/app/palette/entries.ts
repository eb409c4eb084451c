import type { DialogListing } from "../../engine/api.ts";
import { doing } from "../dialogs/groups.ts";
import { placeOf } from "../dialogs/place.ts";
import { dialogFile, orderDocs, shownName, slugOf } from "../docs/names.ts";
import { visible } from "../calls/visible.ts";
import { type Command, onMac, shownKeys } from "../shell/commands.ts";
import { formatRoute, type Route } from "../shell/route.ts";
import * as t from "../texts/palette.ts";
import { folded } from "./rank.ts";

/** One line of the palette: something to do, or somewhere to go. */
export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly folded: string;
  /** What it is, or the keys that do the same. */
  readonly side: string;
  readonly keys: boolean;
  readonly waits: boolean;
  readonly run: () => void;
}

export interface Findable {
  readonly commands: readonly Command[];
  readonly dialogs: readonly DialogListing[];
  /** The names of the files in `vibey/`. */
  readonly names: readonly string[];
  /** The paths of the deed. */
  readonly deed: readonly string[];
  readonly go: (route: Route) => void;
}

/** Everything that can be found, what waits for the person first. Names of files and dialogs are shown with their hidden characters. */
export function entries({ commands, dialogs, names, deed, go }: Findable): readonly Entry[] {
  const mac = onMac();
  const place = (route: Route, title: string, side: string, waits = false): Entry => {
    const shown = visible(title);
    return { id: formatRoute(route), title: shown, folded: folded(shown), side, keys: false, waits, run: () => go(route) };
  };
  const byTime = dialogs.toSorted((a, b) => b.mtime - a.mtime);
  const ofDialog = (one: DialogListing): Entry =>
    place(
      { tab: "dialogs", dialogId: one.dialogId },
      slugOf(one.dialogId),
      doing(one.status, one.activity, one.waitingFor, one.wants),
      placeOf(one) === "waiting",
    );
  const shown = commands.filter(({ hidden }) => hidden !== true);
  return [
    ...byTime.filter((one) => placeOf(one) === "waiting").map(ofDialog),
    ...shown.map(
      ({ label, keys, run }): Entry => ({
        id: `do:${label}`,
        title: label,
        folded: folded(label),
        side: keys === undefined ? "" : shownKeys(keys, mac),
        keys: true,
        waits: false,
        run,
      }),
    ),
    ...orderDocs(names).map((name) => place({ tab: "docs", file: { kind: "doc", name } }, shownName(name), t.doc)),
    ...byTime.filter((one) => placeOf(one) !== "waiting").map(ofDialog),
    ...deed.map((path) => place({ tab: "docs", file: { kind: "deed", path } }, path, t.file)),
    ...names
      .filter((name) => !name.startsWith("doc-") && dialogFile(name) === null)
      .map((name) => place({ tab: "docs", file: { kind: "doc", name } }, name, t.file)),
  ];
}
