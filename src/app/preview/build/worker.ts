import { notReadBecause } from "../../texts/preview-build.ts";
import { type BuiltScript, refused, type ScriptSource } from "./built.ts";
import { buildScript } from "./script.ts";

/** The message to the worker. `guard`: as in `builder.ts`. */
export interface BuildOrder {
  readonly id: number;
  readonly source: ScriptSource;
  readonly guard: boolean;
}
export interface BuildDone {
  readonly id: number;
  readonly built: BuiltScript;
}

/** Builds untrusted scripts in a worker, so that slow or hostile code can block or break only the worker. */
async function build({ source, guard }: BuildOrder): Promise<BuiltScript> {
  return buildScript(source, guard ? (await import("./loops.ts")).guardLoops : undefined);
}

addEventListener("message", ({ data }: MessageEvent<BuildOrder>) => {
  void build(data).then(
    (built) => postMessage({ id: data.id, built } satisfies BuildDone),
    // An error of the builder itself. The page reports it like an error of its own.
    (error: unknown) => postMessage({ id: data.id, built: refused(notReadBecause(data.source.path, String(error))) } satisfies BuildDone),
  );
});
