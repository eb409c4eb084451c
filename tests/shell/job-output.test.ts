import { describe, expect, test } from "vitest";
import { loopbackWorker } from "./loopback.ts";
import { project } from "./project.ts";

const loop = "for i in 1 2 3; do echo o$i; echo e$i >&2; sleep 0.01; done";
/** Prints, and would run forever. */
const forever = "{ echo a; echo b >&2; sleep 100; echo never; }";
/** Waits until the file exists and contains the text. */
const until = (name: string, text = ".") => `until grep -qs "${text}" ${name}; do sleep 0.01; done`;

const contents = {
  "old.txt": "old\n",
  "loop.sh": `${loop}\n`,
  "server.js": 'console.log("up"); console.error("warned"); setTimeout(() => console.log("never"), 100000);',
  "bytes.js": "process.stdout.write(Buffer.from([104, 105, 10])); process.stdout.write(Buffer.from([0xff, 0xfe, 10])); console.log('é');",
  "package.json": '{"scripts":{"dev":"node server.js","loop":"sh loop.sh"}}',
};

/** Each command with its output. */
const rows: readonly (readonly [title: string, command: string, stdout: string])[] = [
  ["what a job printed is in the file while it runs", `${forever} > log & ${until("log")}; cat log; kill $!`, "a\n"],
  ["and after it was killed", `${forever} > log & ${until("log")}; kill $!; cat log`, "a\n"],
  ["and after it was killed and waited for", `${forever} > log & ${until("log")}; kill -9 $!; wait $!; echo $?; cat log`, "137\na\n"],
  ["both streams, in their order", `${forever} > log 2>&1 & ${until("log", "b")}; kill $!; cat log`, "a\nb\n"],
  ["both streams, the short way", `${forever} &> log & ${until("log", "b")}; kill $!; cat log`, "a\nb\n"],
  ["each stream in its file", `${forever} > log 2> err & ${until("err")}; kill $!; cat log; echo; cat err`, "a\n\nb\n"],
  ["stderr alone", `${forever} 2> err & ${until("err")}; kill $!; wait; cat err`, "a\nb\n"],
  ["appended", `${forever} >> old.txt & ${until("old.txt", "a")}; kill $!; cat old.txt`, "old\na\n"],
  ["appended, both streams", `${forever} &>> old.txt & ${until("old.txt", "b")}; kill $!; cat old.txt`, "old\na\nb\n"],
  ["a job that ends by itself, once", `{ ${loop}; } > log & wait; cat log`, "o1\no2\no3\n"],
  ["a job that ends by itself, both streams", `{ ${loop}; } > log 2>&1 & wait $!; echo $?; cat log`, "0\no1\ne1\no2\ne2\no3\ne3\n"],
  ["a job that no one waits for", `{ echo a; } > log & ${until("log")}; cat log`, "a\n"],
  ["a job whose stderr is shown", `sh loop.sh > log & wait 2> err; cat log`, "o1\no2\no3\n"],
  [
    "two jobs with one file",
    `{ echo a; ${until("log", "b")}; echo c; } >> log & { ${until("log", "a")}; echo b; ${until("log", "c")}; echo d; } >> log & wait; cat log`,
    "a\nb\nc\nd\n",
  ],
  ["two jobs with a file each", `sh loop.sh > one 2>&1 & sh loop.sh > two 2>&1 & wait; cmp one two && wc -l < one`, "6\n"],
  ["a script of its own", `bash -c '${loop}' > log 2>&1 & ${until("log")}; grep -c o1 log; wait; cat log`, "1\no1\ne1\no2\ne2\no3\ne3\n"],
  ["in a subshell, after a cd", `mkdir d; (cd d && ${forever} > ../log 2>&1) & ${until("log", "b")}; kill $!; cat log`, "a\nb\n"],
  ["after && and with a variable", `L=a.log; true && ${forever} > "$L" & ${until("a.log")}; kill $!; cat a.log`, "a\n"],
  ["in a function", `f() { ${forever}; }; f > log & ${until("log")}; kill $!; cat log`, "a\n"],
  [
    "a file within a file",
    `{ echo a; { echo b; sleep 0.01; echo c; } > in; echo d; } > log & wait; cat log; echo; cat in`,
    "a\nd\n\nb\nc\n",
  ],
  ["what is printed into a pipe comes at the end of it", `{ echo a; echo b; } | sort -r > log & wait; cat log`, "b\na\n"],
  ["a substitution in it", `{ echo "[$(echo x; sleep 0.01; echo y)]"; echo z; } > log & wait; cat log`, "[x\ny]\nz\n"],
  ["exit in it", `(echo a; exit 3; echo never) > log & wait $!; echo $?; cat log`, "3\na\n"],
  ["exit in a group", `{ echo a; exit 3; } > log & wait $!; echo $?; cat log`, "3\na\n"],
  ["a trap's output", `(trap 'echo bye' EXIT; echo a) > log & wait; cat log`, "a\nbye\n"],
  ["exec", `exec sh loop.sh > log 2>&1 & wait; cat log`, "o1\ne1\no2\ne2\no3\ne3\n"],
  ["a timeout in it", `timeout 100 sh -c 'echo a; sleep 50; echo never' > log & ${until("log")}; kill $!; cat log`, "a\n"],
  ["input and output", `while read l; do echo "got $l"; done < old.txt > log & wait; cat log`, "got old\n"],
  ["streams exchanged", `{ echo a; echo b >&2; } 2>&1 > log & wait; echo; cat log`, "b\n\na\n"],
  ["nothing", `{ ${forever}; } > /dev/null 2>&1 & kill $!; echo end`, "end\n"],
  ["a file that can't be", `echo a > no/such & wait $!; echo $?`, "1\n"],
  [
    "a file that is emptied meanwhile",
    `{ echo a; ${until("go")}; echo b; } > log & ${until("log")}; : > log; echo x > go; wait; cat log`,
    "b\n",
  ],
  [
    "a file that is removed meanwhile",
    `{ echo a; ${until("go")}; echo b; } > log & ${until("log")}; rm log; echo x > go; wait; ls log 2>&1 | grep -c 'No such'`,
    "1\n",
  ],
  ["a file with the time in its name", `echo a > "log$(echo 1)" & wait; cat log1`, "a\n"],
  ["set -x", `{ set -x; { echo a; } > log; } 2> err & wait; cat log err`, "a\n+ echo a\n"],
  ["node that runs", `node server.js > log 2>&1 & ${until("log", "warned")}; kill $!; cat log`, "up\nwarned\n"],
  ["npm that runs", `npm run -s dev > log 2>&1 & ${until("log", "warned")}; kill $!; cat log`, "up\nwarned\n"],
  ["bytes that are no text", `node bytes.js > log & wait; od -An -c log | tr -s ' '`, " h i \\n 377 376 \\n 303 251 \\n\n"],
  [
    "no more after it was killed",
    `{ while :; do echo x; sleep 0.01; done; } > log & ${until("log")}; kill $!; n=$(wc -l < log); sleep 0.1; test $n = $(wc -l < log) && echo same`,
    "same\n",
  ],
  ["a loop of jobs", `for i in 1 2 3; do echo "job $i" > "log$i" 2>&1 & done; wait; cat log1 log2 log3`, "job 1\njob 2\njob 3\n"],
  ["in a script that is run", `bash -c 'sh loop.sh > log & ${until("log")}; kill $!; grep -c o1 log'`, "1\n"],
  ["set -e", `(set -e; echo a; false; echo never) > log & wait $!; echo $?; cat log`, "1\na\n"],
  ["what fails", `nosuch > log 2>&1 & wait $!; echo $?; cat log`, "127\nbash: nosuch: command not found\n"],
  ["a lot, once", `seq 20000 > log & wait; cmp log <(seq 20000) && wc -l < log`, "20000\n"],
];

describe("what a job prints into a file", () => {
  test.each(rows)("%s", async (_, command, stdout) => {
    const { run } = await project({ createWorker: loopbackWorker, contents });
    expect((await run(command)).stdout).toBe(stdout);
  });

  test("is kept when the command ends before the job", async () => {
    const { run } = await project({ createWorker: loopbackWorker, contents });
    const { changes, stderr } = await run(`${forever} > log 2>&1 & ${until("log", "b")}`);
    expect(stderr).toContain("a background job still ran");
    expect(changes.map(({ path, bytes }) => `${path}: ${new TextDecoder().decode(bytes ?? undefined)}`)).toEqual(["log: a\nb\n"]);
  });

  test("is all that is in it when the job computes and is stopped at the end", async () => {
    const { run } = await project({ createWorker: loopbackWorker, contents });
    const { changes, stderr } = await run("{ echo a; while :; do :; done; } > log 2>&1 &");
    expect(stderr).toBe("vibey: a background job still ran at the end of the command and was stopped; use wait to let it end\n");
    expect(changes.map(({ bytes }) => new TextDecoder().decode(bytes ?? undefined))).toEqual(["a\n"]);
  });
});
