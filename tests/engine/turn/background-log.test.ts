import { expect, test } from "vitest";
import { createBackgroundLog } from "../../../src/engine/turn/background-log.ts";

test("the result adds what was not shown", () => {
  const log = createBackgroundLog();
  log.add({ stream: "stdout", text: "one\n" });
  expect(log.take()).toBe("one\n");
  log.close({ stdout: "one\ntwo\n", stderr: "three\n" });
  expect(log.take()).toBe("two\nthree\n");
});

test("of what was shown with gaps the result is given whole", () => {
  const log = createBackgroundLog();
  log.add({ stream: "stdout", text: "\n[… 4 characters are not shown here …]\ntwo\n" });
  log.take();
  log.close({ stdout: "one\ntwo\nthree\n", stderr: "" });
  expect(log.take()).toBe("vibey: while it ran not all of stdout was shown as it is; this is it:\none\ntwo\nthree\n");
});

test("what was shown and is more than a result holds is not given again", () => {
  const log = createBackgroundLog(10);
  log.add({ stream: "stdout", text: "x".repeat(11) });
  log.take();
  log.close({ stdout: "x".repeat(10), stderr: "" });
  expect(log.take()).toBe("");
});
