import { runBridgeKills } from "./bridge/kills.ts";
import { asked, report } from "./report.ts";

const { times, seed } = asked();
const script = process.env["VIBEY_CHAOS_BRIDGE"];
if (script === undefined) throw new Error("VIBEY_CHAOS_BRIDGE names no script");
const { kills, messages, approvals, commands, calls, events, broken } = await runBridgeKills({
  times,
  seed,
  script,
  progress: (line) => process.stderr.write(`          ${line}\n`),
});
const killed = Object.entries(kills)
  .map(([kind, count]) => `${count} of the ${kind}`)
  .join(", ");
const figures = `${times} kills (${killed}); ${calls} calls, ${messages} messages and ${approvals} approvals acknowledged, ${commands} commands, ${events} events followed`;
report("bridge", seed, { figures, broken, cases: Math.min(times, messages, approvals, commands, events) });
// Killed pages leave pending timers behind.
process.exit();
