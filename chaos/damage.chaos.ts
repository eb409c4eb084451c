import { damage } from "./damage/damage.ts";
import { asked, report } from "./report.ts";
import { serveBuild } from "./serve-build.ts";

// Stopping the campaign also stops its browser.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const { times, seed, only } = asked();
const site = await serveBuild();
try {
  report(
    "damage",
    seed,
    await damage({ url: site.url, times, seed, only, progress: (line) => process.stderr.write(`          ${line}\n`) }),
  );
} finally {
  site.close();
}
