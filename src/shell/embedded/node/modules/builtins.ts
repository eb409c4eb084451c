/** Every built-in module of Node 20. Those that can't work here can be loaded, and throw when they are used. */
export const builtinModules: readonly string[] =
  `_stream_duplex _stream_passthrough _stream_readable _stream_transform _stream_writable assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns dns/promises domain events fs fs/promises http http2 https inspector inspector/promises module net os path path/posix path/win32 perf_hooks process punycode querystring readline readline/promises repl stream stream/consumers stream/promises stream/web string_decoder sys timers timers/promises tls trace_events tty url util util/types v8 vm wasi worker_threads zlib`.split(
    " ",
  );

/** These require the prefix `node:`. */
const onlyWithPrefix = new Set(["test", "test/reporters", "sea", "sqlite"]);

const names = new Set(builtinModules);

/** The name without `node:`; null if it is not a built-in module. */
export function builtinName(specifier: string): string | null {
  if (!specifier.startsWith("node:")) return names.has(specifier) ? specifier : null;
  const name = specifier.slice(5);
  return names.has(name) || (onlyWithPrefix.has(name) && name !== "sea" && name !== "sqlite") ? name : null;
}

/** Native parts of packages that our own modules replace if they are not installed. */
export const standIns: ReadonlyMap<string, string> = new Map(
  ["gnu", "musl"].flatMap((libc) => [
    [`@unrs/resolver-binding-linux-x64-${libc}`, "vibey:unrs-resolver"],
    [`@unrs/resolver-binding-linux-x64-${libc}/package.json`, "vibey:unrs-resolver/package.json"],
  ]),
);
