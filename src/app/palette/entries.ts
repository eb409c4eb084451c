import type { DialogListing } from "../../protocol/index.ts";
import { doing } from "../dialogs/groups.ts";
import { groupOf } from "../dialogs/dialog-group.ts";
import { dialogFile, orderDocs, shownName, slugOf } from "../docs/names.ts";
import { visible } from "../calls/visible.ts";
import { type Command, onMac, shownKeys } from "../ui/commands.ts";
import type { Offer } from "../ui/offered.ts";
import { formatRoute, type Route } from "../model/route.ts";
import * as t from "../texts/palette.ts";
import { folded } from "./rank.ts";

/** One line of the palette: a command, or a place to go. */
export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly folded: string;
  /** What it is, what it acts on, or whether it is on. */
  readonly side: string;
  /** The keys that do the same; empty: none. */
  readonly keys: string;
  readonly waits: boolean;
  readonly run: () => void;
}

export interface Findable {
  /** What the parts of the screen can do. */
  readonly offers: readonly Offer[];
  /** Commands that are available everywhere. */
  readonly commands: readonly Command[];
  readonly dialogs: readonly DialogListing[];
  /** The names of the files in `vibey/`. */
  readonly names: readonly string[];
  /** The paths of the deed. */
  readonly deed: readonly string[];
  readonly go: (route: Route) => void;
}

/**
 * Everything that can be found: first what waits for the user, then the commands of the current place. Hidden characters in names of files and
 * dialogs are shown.
 */
export function entries({ offers, commands, dialogs, names, deed, go }: Findable): readonly Entry[] {
  const mac = onMac();
  const place = (route: Route, title: string, side: string, waits = false): Entry => {
    let compared: string | null = null;
    // Computed when it is read: of ten thousand files, few are shown.
    return {
      get id() {
        return formatRoute(route);
      },
      get title() {
        return visible(title);
      },
      get folded() {
        return (compared ??= folded(title));
      },
      side,
      keys: "",
      waits,
      run: () => go(route),
    };
  };
  const byTime = dialogs.toSorted((a, b) => b.mtime - a.mtime);
  const ofDialog = (one: DialogListing): Entry =>
    place(
      { tab: "dialogs", dialogId: one.dialogId },
      slugOf(one.dialogId),
      doing(one.status, one.activity, one.waitingFor, one.wants),
      groupOf(one) === "waiting",
    );
  const command = ({ label, keys, on, run }: Command, about: string): Entry => ({
    id: `do:${label} ${about}`,
    title: label,
    folded: folded(label),
    side: on === undefined ? visible(about) : on ? t.on : t.off,
    keys: keys === undefined ? "" : shownKeys(keys, mac),
    waits: false,
    run,
  });
  const here = offers
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .flatMap((offer) =>
      offer
        .commands()
        .filter(canBeDone)
        .map((one) => command(one, offer.about?.() ?? "")),
    );
  const everywhere = commands.filter(canBeDone).map((one) => command(one, ""));
  return [
    ...byTime.filter((one) => groupOf(one) === "waiting").map(ofDialog),
    ...once([...here, ...everywhere]),
    ...orderDocs(names).map((name) => place({ tab: "docs", file: { kind: "doc", name } }, shownName(name), t.doc)),
    ...byTime.filter((one) => groupOf(one) !== "waiting").map(ofDialog),
    ...deed.map((path) => place({ tab: "docs", file: { kind: "deed", path } }, path, t.file)),
    ...names
      .filter((name) => !name.startsWith("doc-") && dialogFile(name) === null)
      .map((name) => place({ tab: "docs", file: { kind: "doc", name } }, name, t.file)),
  ];
}

const canBeDone = ({ hidden, disabled }: Command) => hidden !== true && disabled !== true;

/** Drops repeated entries that several parts of the screen offer. */
function once(all: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>();
  return all.filter(({ id }) => !seen.has(id) && seen.add(id));
}
