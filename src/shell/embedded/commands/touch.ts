import { timeOf, type Zone, zoneOf } from "../zone.ts";
import { readTime } from "./date.ts";
import { failed, type Run } from "./answer.ts";
import { absolute, reasonOf, statOf } from "./files.ts";
import { parseOptions } from "./options.ts";

/** GNU touch. */
export const touch: Run = async (args, context) => {
  const options = parseOptions(args, "acd:fhmr:t:", { date: "d", reference: "r", "no-create": "c", "no-dereference": "h", time: "T" }, [
    "T",
  ]);
  if (typeof options === "string") return failed("touch", options);
  if (options.operands.length === 0) return failed("touch", "missing file operand");
  const zone = zoneOf(context.exportedEnv?.["TZ"]);
  let time: Date | null = new Date();
  const [given, reference, stamp] = [options.value("d"), options.value("r"), options.value("t")];
  if (reference !== null) {
    time = (await statOf(context, reference))?.mtime ?? null;
    if (time === null) return failed("touch", `failed to get attributes of '${reference}': No such file or directory`);
  }
  if (given !== null) time = readTime(given, time, zone);
  if (stamp !== null) time = readStamp(stamp, zone);
  if (time === null) return failed("touch", `invalid date format '${given ?? stamp ?? ""}'`);
  let stderr = "";
  for (const name of options.operands) {
    const at = absolute(context, name);
    try {
      if ((await statOf(context, name)) === null) {
        if (options.has("c")) continue;
        await context.fs.writeFile(at, "");
      }
      await context.fs.utimes(at, time, time);
    } catch (error) {
      stderr += `touch: cannot touch '${name}': ${reasonOf(error)}\n`;
    }
  }
  return { stderr, exitCode: stderr === "" ? 0 : 1 };
};

/** `[[CC]YY]MMDDhhmm[.ss]`; null: not a time. */
function readStamp(text: string, zone: Zone): Date | null {
  const found = /^(\d{2})?(\d{2})?(\d{2})(\d{2})(\d{2})(\d{2})(?:\.(\d{2}))?$/.exec(text);
  if (!found) return null;
  const year =
    found[2] === undefined && found[1] === undefined
      ? new Date().getUTCFullYear()
      : found[2] === undefined
        ? 2000 + Number(found[1])
        : Number(`${found[1] ?? "20"}${found[2]}`);
  const [month, day, hour, minute] = found.slice(3, 7).map(Number);
  return new Date(timeOf(Date.UTC(year, (month ?? 1) - 1, day, hour, minute, Number(found[7] ?? 0)), zone));
}
