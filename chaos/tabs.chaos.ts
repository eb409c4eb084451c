import { asked, report } from "./report.ts";
import { serveBuild } from "./serve-build.ts";
import { tabs } from "./tabs/tabs.ts";

const { times, seed } = asked();
const site = await serveBuild();
try {
  report("tabs", seed, await tabs({ url: site.url, times, seed, progress: (line) => process.stderr.write(`          ${line}\n`) }));
} finally {
  site.close();
}
