import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { newNonce } from "../src/protocol/bridge/proof.ts";
import { readAdapters } from "./adapters.ts";
import { readCertificate } from "./certificate.ts";
import { readConfig } from "./config.ts";
import { runHooks } from "./hooks.ts";
import { isLoopback } from "./encrypted.ts";
import { startBridge } from "./server.ts";
import { followVibe } from "./vibe.ts";

/** `bridge key` prints a key. `bridge hooks <agent>` prints an agent's settings. `bridge [options]` listens until it is stopped. */
async function main(args: readonly string[]): Promise<void> {
  if (args[0] === "key") return console.log(newNonce());
  if (args[0] === "hooks") {
    process.exitCode = runHooks(
      args.slice(1),
      (line) => console.log(line),
      (line) => console.error(line),
      // The folder in which npm was called, because npm runs scripts in the package's folder.
      process.env["INIT_CWD"],
    );
    return;
  }
  const read = readConfig(process.env, args);
  if (!read.ok) {
    console.error(read.why);
    process.exit(2);
  }
  for (const warning of read.warnings) console.warn(`Warning: ${warning}`);
  const dist = resolve("dist");
  const from = process.env["INIT_CWD"] ?? ".";
  const { vibe, adapters: folder, certificate: files, ...config } = read.config;
  const certificate = files && readCertificate({ cert: resolve(from, files.cert), key: resolve(from, files.key) }, Date.now());
  if (certificate?.ok === false) {
    console.error(certificate.why);
    process.exit(2);
  }
  if (certificate?.expired) console.warn(`Warning: --cert: the certificate expired on ${certificate.expired}, and browsers refuse it.`);
  const custom = await readAdapters(folder === null ? resolve("bridge/adapters") : resolve(from, folder));
  if (!custom.ok) {
    console.error(`${custom.file}: ${custom.why}`);
    process.exit(2);
  }
  if (custom.adapters.length > 0) console.log(`Adapters: ${custom.adapters.map(({ name }) => name).join(", ")}.`);
  try {
    const bridge = await startBridge({
      ...config,
      // The certificate proves that its names belong to the user.
      hosts: [...config.hosts, ...(certificate?.names ?? [])],
      tls: certificate?.tls ?? null,
      adapters: custom.adapters,
      dist: existsSync(resolve(dist, "_headers")) ? dist : null,
    });
    if (vibe !== null) {
      const options = { ...vibe, folder: resolve(from, vibe.folder), url: `http://127.0.0.1:${bridge.agentPort}/event` };
      const pause = (ms: number) => new Promise<void>((done) => void setTimeout(done, ms).unref());
      void followVibe({ ...options, now: Date.now, pause, say: (line) => console.error(line) }, new AbortController().signal);
      console.log(`Sessions of Mistral Vibe in ${options.folder} are told.`);
    }
    console.log(
      `The bridge is at http://127.0.0.1:${bridge.port}/ for programs and phones, and http://127.0.0.1:${bridge.agentPort}/ for agents.`,
    );
    if (certificate) console.log(encryptedAt(certificate.names, bridge));
    console.log("In Vibey, open Settings, Bridge, and enter the key.");
    const stop = () => void bridge.close().then(() => process.exit(0));
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  } catch (error) {
    console.error(`The bridge could not listen: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}

function encryptedAt(names: readonly string[], { port, agentPort }: { readonly port: number; readonly agentPort: number }): string {
  const name = names.find((one) => one !== "localhost" && !isLoopback(one));
  if (name === undefined) return "The certificate names only this machine: other machines won't trust it.";
  const host = name.includes(":") ? `[${name}]` : name;
  return `Other machines use https://${host}:${port}/ and https://${host}:${agentPort}/, and nothing unencrypted is taken from them.`;
}

await main(process.argv.slice(2));
