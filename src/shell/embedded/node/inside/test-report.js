import { host } from "./host.js";
import { inspect } from "./util.js";

const indentBy = (text, spaces) => text.replaceAll(/^/gm, " ".repeat(spaces));
const shownTime = (ms) => `${Number(ms.toFixed(6))}ms`;
const put = (text) => host("print", 1, text);

function errorText(test) {
  const { error } = test;
  if (error === undefined || test.failureType === "subtestsFailed") return null;
  return inspect(error).replace(/^(\s*at .*\n?)*$/m, (frames) => frames);
}

const suffix = (test) => {
  if (test.skipped !== undefined) return ` # ${typeof test.skipped === "string" && test.skipped !== "" ? test.skipped : "SKIP"}`;
  if (test.todo !== undefined) return ` # ${typeof test.todo === "string" && test.todo !== "" ? test.todo : "TODO"}`;
  return "";
};
const mark = (test) => (test.failed ? "✖" : test.skipped !== undefined ? "﹣" : "✔");

export const spec = {
  start() {},
  test(test, nesting) {
    for (const above of test.ancestors()) {
      if (above.announced) continue;
      above.announced = true;
      put(`${"  ".repeat(above.nesting)}▶ ${above.name}\n`);
    }
    put(`${"  ".repeat(nesting)}${mark(test)} ${test.name} (${shownTime(test.duration)})${suffix(test)}\n`);
    const text = test.failed ? errorText(test) : null;
    if (text !== null) put(`${indentBy(text, 2 * nesting + 2)}\n\n`);
    for (const message of test.diagnostics) put(`${"  ".repeat(nesting)}ℹ ${message}\n`);
  },
  end(counts, failures) {
    for (const [name, count] of Object.entries(counts)) put(`ℹ ${name} ${name === "duration_ms" ? Number(count.toFixed(6)) : count}\n`);
    if (failures.length > 0) put(`\n✖ failing tests:\n\n${failures.join("\n")}`);
  },
  failure(test) {
    const text = errorText(test);
    return `test at ${test.where}\n✖ ${test.name} (${shownTime(test.duration)})\n${text === null ? "" : `${indentBy(text, 2)}\n`}`;
  },
};

const escaped = (text) => text.replaceAll("\\", "\\\\").replaceAll("#", "\\#");

export const tap = {
  start() {
    put("TAP version 13\n");
  },
  test(test, nesting) {
    const space = "    ".repeat(nesting);
    for (const above of [...test.ancestors(), test]) {
      if (above.announced) continue;
      above.announced = true;
      put(`${"    ".repeat(above.nesting)}# Subtest: ${escaped(above.name)}\n`);
    }
    if (test.children.length > 0) put(`${space}    1..${test.children.length}\n`);
    const directive =
      test.skipped !== undefined
        ? ` # SKIP${typeof test.skipped === "string" ? ` ${escaped(test.skipped)}` : ""}`
        : test.todo !== undefined
          ? ` # TODO${typeof test.todo === "string" ? ` ${escaped(test.todo)}` : ""}`
          : "";
    put(
      `${space}${test.failed ? "not ok" : "ok"} ${test.number} - ${escaped(test.name)}${directive}\n${space}  ---\n${space}  duration_ms: ${Number(test.duration.toFixed(6))}\n`,
    );
    if (test.kind === "suite") put(`${space}  type: 'suite'\n`);
    if (test.failed) {
      put(`${space}  location: '${test.where}'\n${space}  failureType: '${test.failureType}'\n`);
      const { error } = test;
      const message = error instanceof Error ? error.message : inspect(error);
      put(`${space}  error: |-\n${indentBy(message, space.length + 4)}\n`);
      if (typeof error?.code === "string") put(`${space}  code: '${error.code}'\n`);
      if (typeof error?.stack === "string")
        put(
          `${space}  stack: |-\n${indentBy(error.stack.slice(error.stack.indexOf("\n    at ") + 1).replaceAll(/^ {4}at /gm, ""), space.length + 4)}\n`,
        );
    }
    put(`${space}  ...\n`);
    for (const message of test.diagnostics) put(`${space}# ${escaped(message)}\n`);
  },
  end(counts, _failures, total) {
    put(`1..${total}\n`);
    for (const [name, count] of Object.entries(counts)) put(`# ${name} ${name === "duration_ms" ? Number(count.toFixed(6)) : count}\n`);
  },
  failure: () => "",
};
