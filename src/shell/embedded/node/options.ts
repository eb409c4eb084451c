/** A parsed command line of `node`. */
export interface Invocation {
  readonly what: "file" | "eval" | "print" | "stdin" | "check" | "test" | "version" | "help";
  /** The script's path as typed, or the code of `-e` and `-p`. The patterns of `--test` are in `args`. */
  readonly script: string;
  /** The arguments after the script. */
  readonly args: readonly string[];
  /** The options before the script, as in `process.execArgv`. */
  readonly execArgv: readonly string[];
  readonly inputType: "module" | "commonjs" | null;
  readonly require: readonly string[];
  readonly import: readonly string[];
  readonly envFiles: readonly string[];
  readonly conditions: readonly string[];
  readonly testNames: readonly string[];
  readonly testOnly: boolean;
  readonly reporter: "spec" | "tap";
  readonly warnings: boolean;
  readonly traceWarnings: boolean;
  readonly unhandled: "throw" | "strict" | "warn" | "none";
  readonly exposeGc: boolean;
  readonly stackTraceLimit: number | null;
}

export type Parsed = { readonly kind: "run"; readonly invocation: Invocation } | { readonly kind: "bad"; readonly message: string };

/** Options that have no effect here: their feature is always on, or they concern V8's internals. */
const withoutEffect = new Set(
  (
    "abort-on-uncaught-exception enable-network-family-autoselection enable-source-maps experimental-detect-module experimental-fetch " +
    "experimental-global-customevent experimental-global-webcrypto experimental-import-meta-resolve experimental-json-modules " +
    "experimental-require-module experimental-specifier-resolution experimental-strip-types experimental-top-level-await " +
    "experimental-transform-types experimental-vm-modules experimental-wasm-modules experimental-websocket harmony insecure-http-parser " +
    "inspect inspect-port inspect-publish-uid jitless network-family-autoselection no-addons no-deprecation no-experimental-fetch " +
    "no-experimental-global-navigator no-experimental-require-module no-experimental-websocket no-global-search-paths " +
    "no-network-family-autoselection no-opt openssl-legacy-provider openssl-shared-config optimize-for-size pending-deprecation " +
    "preserve-symlinks preserve-symlinks-main single-threaded stack-size test-force-exit throw-deprecation trace-deprecation trace-exit " +
    "trace-sigint trace-sync-io trace-uncaught use-bundled-ca use-openssl-ca v8-pool-size zero-fill-buffers"
  )
    .split(" ")
    .map((name) => `--${name}`),
);
const withoutEffectStart = ["--max-old-space-size=", "--max-semi-space-size=", "--test-concurrency="];
/** Likewise; the next word is their value. */
const withoutEffectValue = new Set([
  "--disable-warning",
  "--dns-result-order",
  "--icu-data-dir",
  "--inspect-port",
  "--max-http-header-size",
  "--network-family-autoselection-attempt-timeout",
  "--title",
]);

/** Real options that can't work here, with the reason. */
const notHere: readonly (readonly [start: string, why: string])[] = [
  ["--watch", "a program is not started again here; run the command again, or watch files with fs.watch"],
  ["--inspect", "there is no debugger here"],
  ["--cpu-prof", "there is no profiler here"],
  ["--heap-prof", "there is no profiler here"],
  ["--prof", "there is no profiler here"],
  ["--experimental-test-coverage", "coverage can't be measured here"],
  ["--test-reporter-destination", "the report goes to stdout"],
  ["--experimental-loader", "module loaders can't be replaced here; node runs TypeScript by itself"],
  ["--loader", "module loaders can't be replaced here; node runs TypeScript by itself"],
  ["--run", "use npm run"],
  ["--no-experimental-strip-types", "types are always removed here"],
  ["--experimental-default-type", 'write "type": "module" into package.json, or use .mjs'],
  ["--experimental-permission", "there is no permission model here; the sandbox is the boundary"],
  ["--experimental-sea-config", "single executables can't be made here"],
  ["--build-snapshot", "snapshots can't be made here"],
  ["--interactive", "there is no terminal here; give a file, -e, or a script on stdin"],
  ["-i", "there is no terminal here; give a file, -e, or a script on stdin"],
];

/** Options that are not allowed in NODE_OPTIONS, because they would change what runs. */
const onlyTyped = /^(?:-[vhcepi]|-pe|--(?:version|help|check|eval|print|test|interactive|test-.*)(?:=.*)?|--|[^-].*)$/;

/**
 * Parses the words after `node` like Node does: options end at the first word that is not an option. The first `before` words are those of
 * NODE_OPTIONS.
 */
export function parseArguments(words: readonly string[], before = 0): Parsed {
  const require: string[] = [];
  const imports: string[] = [];
  const envFiles: string[] = [];
  const conditions: string[] = [];
  const testNames: string[] = [];
  let what: Invocation["what"] | null = null;
  let code: string | null = null;
  let inputType: Invocation["inputType"] = null;
  let testOnly = false;
  let reporter: Invocation["reporter"] = "spec";
  let warnings = true;
  let traceWarnings = false;
  let unhandled: Invocation["unhandled"] = "throw";
  let exposeGc = false;
  let stackTraceLimit: number | null = null;
  let at = 0;

  const bad = (message: string): Parsed => ({ kind: "bad", message });
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (at < before && onlyTyped.test(word)) return bad(`${word} is not allowed in NODE_OPTIONS`);
    if (word === "--") {
      at++;
      break;
    }
    if (word === "-" || !word.startsWith("-")) break;
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const name = equals < 0 ? word : word.slice(0, equals);
    /** The option's value; null if there is none. */
    const value = (): string | null => {
      if (equals >= 0) return word.slice(equals + 1);
      const next = words[at + 1];
      if (next === undefined || (next.startsWith("-") && next.length > 1 && name.startsWith("--"))) return null;
      at++;
      return next;
    };
    const needed = (): string | null => value();
    const lacking = bad(`${name} requires an argument`);
    switch (name) {
      case "-v":
      case "--version":
        what = "version";
        continue;
      case "-h":
      case "--help":
        what = "help";
        continue;
      case "-c":
      case "--check":
        what = "check";
        continue;
      case "--test":
        what = "test";
        continue;
      case "--test-only":
        testOnly = true;
        continue;
      case "-e":
      case "--eval":
      case "-p":
      case "--print":
      case "-pe": {
        const given = words[at + 1];
        const text = equals >= 0 ? word.slice(equals + 1) : given;
        if (equals < 0) at++;
        if (text === undefined) return lacking;
        code = text;
        what = name === "-e" || name === "--eval" ? (what === "print" ? "print" : "eval") : "print";
        continue;
      }
      case "-r":
      case "--require":
      case "--import":
      case "-C":
      case "--conditions":
      case "--env-file":
      case "--input-type":
      case "--test-name-pattern":
      case "--test-reporter":
      case "--unhandled-rejections":
      case "--stack-trace-limit": {
        const given = needed();
        if (given === null) return lacking;
        if (name === "-r" || name === "--require") require.push(given);
        else if (name === "--import") imports.push(given);
        else if (name === "-C" || name === "--conditions") conditions.push(given);
        else if (name === "--env-file") envFiles.push(given);
        else if (name === "--test-name-pattern") testNames.push(given);
        else if (name === "--stack-trace-limit") stackTraceLimit = Number(given);
        else if (name === "--input-type") {
          if (given !== "module" && given !== "commonjs") return bad(`--input-type must be "module" or "commonjs"`);
          inputType = given;
        } else if (name === "--test-reporter") {
          if (given !== "spec" && given !== "tap") return bad(`--test-reporter ${given} is not here; there are spec and tap`);
          reporter = given;
        } else if (given === "throw" || given === "strict" || given === "warn" || given === "none") unhandled = given;
        else return bad(`invalid value for --unhandled-rejections`);
        continue;
      }
      case "--no-warnings":
        warnings = false;
        continue;
      case "--trace-warnings":
        traceWarnings = true;
        continue;
      case "--expose-gc":
      case "--expose_gc":
        exposeGc = true;
        continue;
    }
    if (withoutEffectValue.has(name)) {
      if (needed() === null) return lacking;
      continue;
    }
    if (withoutEffect.has(name) || withoutEffectStart.some((start) => word.startsWith(start))) continue;
    const reason = notHere.find(([start]) => name === start || (start.startsWith("--") && name.startsWith(`${start}-`)));
    if (reason) return bad(`${word}: ${reason[1]}`);
    return bad(`bad option: ${word}`);
  }
  const rest = words.slice(at);
  const execArgv = words.slice(before, at).filter((word) => word !== "--");
  const withCode = code !== null && what !== "version" && what !== "help";
  if (what === null || what === "check") {
    const [first] = rest;
    if (what === "check" && (first === undefined || first === "-")) return bad("--check needs a file");
    if (what === null) what = first === undefined || first === "-" ? "stdin" : "file";
  }
  const scriptFirst = !withCode && what !== "test" && what !== "version" && what !== "help";
  return {
    kind: "run",
    invocation: {
      what,
      script: withCode ? (code ?? "") : scriptFirst ? (rest[0] ?? "-") : "",
      args: scriptFirst ? rest.slice(1) : rest,
      execArgv,
      inputType,
      require,
      import: imports,
      envFiles,
      conditions,
      testNames,
      testOnly,
      reporter,
      warnings,
      traceWarnings,
      unhandled,
      exposeGc,
      stackTraceLimit,
    },
  };
}
