import { describe, expect, test } from "vitest";
import { loopbackWorker } from "./loopback.ts";
import { project } from "./project.ts";

async function run(makefile: string, command = "make"): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const shell = await project({ createWorker: loopbackWorker, contents: { Makefile: makefile } });
  return shell.run(command);
}

describe("what make does not do here is refused before a recipe runs", () => {
  test.each([
    ["a function in a recipe", "all:\n\t@touch made\n\t@$(file >f,text)\n"],
    ["two rules with ::", "all:: ; @touch made\nall:: ; @touch other\n"],
    ["suffix rules", "all: x.b\n\t@touch made\n.a.b:\n\tcp $< $@\n"],
    ["another shell", "SHELL := python3\nall:\n\t@touch made\n"],
    ["folders to look in", "VPATH = sub\nall:\n\t@touch made\n"],
    ["a second expansion", ".SECONDEXPANSION:\nall:\n\t@touch made\n"],
  ])("%s", async (_, makefile) => {
    const { stdout, stderr } = await run(makefile, "make; ls made");
    expect(stderr).toContain("is not here");
    expect(stdout).toBe("");
  });
});

// The behavior of GNU make 4.3.
describe("make does the same as GNU make", () => {
  test.each([
    [
      "a rule that leads to itself",
      "%: %.in\n\tcp $< $@\n",
      "make x 2>&1; echo a > y.in; make y",
      "make: *** No rule to make target 'x'.  Stop.\ncp y.in y\n",
    ],
    ["one shell", ".ONESHELL:\nall:\n\tx=1\n\t@echo $$x\n", "make -s", "1\n"],
    ["options of the shell", ".SHELLFLAGS := -ec\nall:\n\t@false; echo on\n", "make 2> /dev/null; echo $?", "2\n"],
    ["a variable of the environment", "A := new:$(A)\nall:\n\t@echo $$A\n", "export A=old; make", "new:old\n"],
    ["a variable that has a value", "CC ?= gcc\nall:\n\t@echo $(CC)\n", "make", "cc\n"],
    ["override", "override V = mine\nall:\n\t@echo $(V)\n", "make V=yours", "mine\n"],
    [".DELETE_ON_ERROR", ".DELETE_ON_ERROR:\nx:\n\t@echo 1 > $@; false\n", "make x 2> /dev/null; ls x 2> /dev/null", ""],
    ["-t of what is no file", ".PHONY: all\nall: x\n\techo hi\nx:\n\techo x\n", "make -t; ls all x 2> /dev/null", "touch x\nx\n"],
  ])("%s", async (_, makefile, command, expected) => {
    expect((await run(makefile, command)).stdout).toBe(expected);
  });

  test("makes within makes have an end", async () => {
    expect((await run("all:\n\t@$(MAKE) -s\n")).stderr).toContain("more than 50 makes within makes");
  });
});
