import type { CustomCommand } from "just-bash/browser";
import type { CommonHost } from "../host.ts";
import { background } from "./background.ts";
import { copying } from "./copy.ts";
import { command, lazyCommand } from "./command.ts";
import { lineTools } from "./cut.ts";
import { endedBy } from "../ended-by.ts";
import { dump } from "./dump.ts";
import { folders, ls } from "./listing.ts";
import { paths, remove } from "./paths.ts";
import { reading } from "./reading.ts";
import { sleep } from "./sleep.ts";
import { stat } from "./stat.ts";
import { sums } from "./sums.ts";
import { system } from "./system.ts";
import { text } from "./text.ts";
import { folderTools } from "./tree.ts";
import { names } from "./names.ts";
import { wrapped } from "./wrapped.ts";

/** Our commands that every shell has, which complement or replace just-bash's. */
export function sharedCommands(host: CommonHost): readonly CustomCommand[] {
  return [
    background(host),
    ...copying,
    ...dump,
    ...folderTools,
    ...lineTools,
    ls,
    folders,
    ...paths,
    remove(() => host.refusedCount()),
    stat,
    ...sums,
    ...system,
    ...text,
    ...reading,
    ...names,
    ...wrapped,
    lazyCommand("awk", async () => endedBy(host, (await import("./awk/command.ts")).awk)),
    lazyCommand("gawk", async () => endedBy(host, (await import("./awk/command.ts")).awk)),
    lazyCommand("bc", async () => (await import("./bc.ts")).bc),
    lazyCommand("column", async () => (await import("./column.ts")).column),
    lazyCommand("curl", async () => endedBy(host, (await import("./curl.ts")).curl)),
    lazyCommand("date", async () => (await import("./date.ts")).date),
    lazyCommand("diff", async () => (await import("./diff.ts")).diff),
    lazyCommand("find", async () => endedBy(host, (await import("./find/command.ts")).find)),
    lazyCommand("flock", async () => endedBy(host, (await import("./flock.ts")).flock)),
    lazyCommand("git", async () => endedBy(host, (await import("../git/command.ts")).runGit)),
    ...(["grep", "egrep", "fgrep"] as const).map((name) =>
      lazyCommand(name, async () => {
        const { grep } = await import("./grep.ts");
        return endedBy(host, (one) => grep(one, name));
      }),
    ),
    lazyCommand("gzip", async () => (await import("./gzip.ts")).gzip("gzip")),
    lazyCommand("gunzip", async () => (await import("./gzip.ts")).gzip("gunzip")),
    lazyCommand("zcat", async () => (await import("./gzip.ts")).gzip("zcat")),
    lazyCommand("join", async () => (await import("./join.ts")).join),
    lazyCommand("make", async () => endedBy(host, (await import("./make/command.ts")).make)),
    lazyCommand("openssl", async () => (await import("./openssl.ts")).openssl),
    lazyCommand("patch", async () => (await import("./patch.ts")).patch),
    lazyCommand("perl", async () => endedBy(host, (await import("./perl/command.ts")).perl)),
    lazyCommand("sed", async () => endedBy(host, (await import("./sed/command.ts")).sed)),
    lazyCommand("seq", async () => endedBy(host, (await import("./seq.ts")).seq)),
    command("sleep", sleep(host)),
    lazyCommand("sort", async () => (await import("./sort.ts")).sort),
    lazyCommand("tar", async () => (await import("./tar.ts")).tar),
    lazyCommand("timeout", async () => (await import("./timeout.ts")).timeout(host)),
    lazyCommand("touch", async () => (await import("./touch.ts")).touch),
    lazyCommand("tr", async () => (await import("./tr.ts")).tr),
    lazyCommand("unzip", async () => (await import("./zip.ts")).unzip),
    lazyCommand("xargs", async () => (await import("./xargs.ts")).xargs),
    lazyCommand("wc", async () => (await import("./wc.ts")).wc),
    lazyCommand("wget", async () => endedBy(host, (await import("./wget.ts")).wget)),
    lazyCommand("zip", async () => (await import("./zip.ts")).zip),
  ];
}
