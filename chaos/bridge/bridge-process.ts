import { type ChildProcess, spawn } from "node:child_process";

/** The bridge as a separate process that can be killed. */
export interface BridgeProcess {
  /** Null while the process is dead. */
  port(): number | null;
  /** Sends SIGKILL. Resolves when a new process listens. */
  kill(): Promise<void>;
  /** All its output so far. */
  said(): string;
  close(): void;
}

export async function openBridgeProcess(script: string, psk: string): Promise<BridgeProcess> {
  let port: number | null = null;
  let child: ChildProcess | null = null;
  let said = "";

  function start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const started = spawn(process.execPath, [script, "--port", "0", "--agent-port", "0"], {
        env: { ...process.env, VIBECHECK_PSK: psk },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child = started;
      let own = "";
      const hear = (bytes: Buffer) => {
        own += bytes.toString();
        said += bytes.toString();
        const [, found] = /at http:\/\/127\.0\.0\.1:(\d+)\//.exec(own) ?? [];
        if (found === undefined || port !== null) return;
        port = Number(found);
        resolve();
      };
      started.stdout.on("data", hear);
      started.stderr.on("data", hear);
      started.once("error", reject);
      started.once("exit", (code) => reject(new Error(`the bridge ended with ${code}: ${own}`)));
    });
  }

  await start();
  return {
    port: () => port,
    said: () => said,
    async kill() {
      port = null;
      const dead = new Promise((resolve) => child?.once("exit", resolve));
      child?.kill("SIGKILL");
      await dead;
      await start();
    },
    close: () => void child?.kill("SIGKILL"),
  };
}
