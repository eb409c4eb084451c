// Runs checks two at a time: most of them keep one processor busy. The output of a check is printed in one piece when the check ends.
import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";

/** @typedef {{ title: string, script: string, args: readonly string[] }} Check */

/** @param {Check} check @param {boolean} low @returns {Promise<boolean>} */
function ends({ title, script, args }, low) {
  return new Promise((resolve) => {
    const started = Date.now();
    const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    if (low && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    /** @type {Buffer[]} */
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => printed.push(piece));
    /** @param {boolean} ok */
    const tell = (ok) => {
      console.log(`\n── ${title}`);
      process.stdout.write(Buffer.concat(printed));
      console.log(`── ${title}: ${ok ? "ok" : "failed"}, ${((Date.now() - started) / 1000).toFixed(0)} s`);
      resolve(ok);
    };
    child.once("error", (error) => {
      printed.push(Buffer.from(`${String(error)}\n`));
      tell(false);
    });
    child.once("close", (code) => tell(code === 0));
  });
}

/**
 * Returns whether each check passed, in the order of the list. With `low`, the checks get only the processor time that others leave.
 * @param {readonly Check[]} checks @param {{ low?: boolean }} [options] @returns {Promise<boolean[]>}
 */
export async function sideBySide(checks, { low = false } = {}) {
  /** @type {boolean[]} */
  const passed = [];
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < checks.length; at = next++) {
      const check = checks[at];
      if (check) passed[at] = await ends(check, low);
    }
  };
  await Promise.all([lane(), lane()]);
  return passed;
}
