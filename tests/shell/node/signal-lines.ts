const until = (file: string): string => `until test -s ${file}; do sleep 0.05; done`;
const serves = (name: string, after: string): string =>
  `const fs = require("fs"); const server = require("http").createServer((q, r) => r.end(fs.readFileSync("page.txt", "utf8") + "${name}\\n")); server.listen(0, () => fs.writeFileSync("${name}.port", String(server.address().port))); ${after}`;

export const signalFiles: Readonly<Record<string, string>> = {
  "page.txt": "one ",
  "closes.js": serves(
    "closes",
    `process.on("SIGTERM", (name, number) => { console.log(name, number); server.close(() => { console.log("closed"); process.exit(0); }); });`,
  ),
  "plain.js": serves("plain", ""),
  "exits.js": `for (const name of ["SIGTERM", "SIGINT", "SIGHUP", "SIGUSR2"]) process.on(name, (given, number) => { console.log(given, number); process.exit(3); }); setInterval(() => {}, 1000); require("fs").writeFileSync("ready", "x");`,
  "once.js": `process.once("SIGTERM", () => { console.log("first"); require("fs").writeFileSync("first", "x"); }); setInterval(() => {}, 1000); require("fs").writeFileSync("ready", "x");`,
  "stays.js": `process.on("SIGTERM", () => { console.log("stays"); require("fs").writeFileSync("first", "x"); }); setInterval(() => {}, 1000); require("fs").writeFileSync("ready", "x");`,
  "takes-back.js": `const run = () => console.log("never"); process.on("SIGTERM", run); process.off("SIGTERM", run); setInterval(() => {}, 1000); require("fs").writeFileSync("ready", "x");`,
};

/** Lines that print the same in bash and Node. INT without a handler isn't included, because a job of bash ignores it. */
export const signalLines: readonly (readonly [name: string, line: string])[] = [
  [
    "a server closes, and exits as it likes",
    `node closes.js > log & ${until("closes.port")}; curl -s localhost:$(cat closes.port); kill $!; wait $!; echo $?; cat log`,
  ],
  [
    "handlers get the signal's name and number",
    `for s in TERM INT HUP USR2; do rm -f ready; node exits.js > log & ${until("ready")}; kill -$s $!; wait $!; echo $?; cat log; done`,
  ],
  [
    "without a handler a program ends",
    `for s in TERM HUP USR2; do rm -f plain.port; node plain.js & ${until("plain.port")}; kill -$s $!; wait $!; echo $?; done`,
  ],
  ["once, and then no more", `node once.js > log & ${until("ready")}; kill $!; ${until("first")}; kill $!; wait $!; echo $?; cat log`],
  ["a handler that was taken back", `node takes-back.js > log & ${until("ready")}; kill $!; wait $!; echo $?; cat log`],
  [
    "kill -9 ends one that stays",
    `node stays.js > log & ${until("ready")}; kill $!; ${until("first")}; kill -9 $!; wait $!; echo $?; cat log`,
  ],
  ["timeout", "timeout 4 node exits.js; echo $?"],
  ["timeout with another signal", "timeout -k 1 -s INT 4 node exits.js; echo $?"],
  ["timeout of a program that stays", "timeout -k 1 4 node stays.js; echo $?"],
  [
    "two servers of one command see what is written later",
    `node closes.js > log & P=$!; node plain.js & Q=$!; ${until("closes.port")}; ${until("plain.port")}; curl -s localhost:$(cat closes.port); curl -s localhost:$(cat plain.port); printf 'two ' > page.txt; curl -s localhost:$(cat plain.port); curl -s localhost:$(cat closes.port); kill $P $Q; wait $P; echo $?; wait $Q; echo $?`,
  ],
];
