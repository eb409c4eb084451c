import { kills } from "./kills/kills.ts";
import { asked, report } from "./report.ts";
import { serveBuild } from "./serve-build.ts";

// Stopping the campaign also stops its browser.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const { times, seed } = asked();
const site = await serveBuild();
try {
  report("kills", seed, await kills({ url: site.url, times, seed, progress: (line) => process.stderr.write(`          ${line}\n`) }));
} finally {
  site.close();
}
