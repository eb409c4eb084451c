import { notReadBecause } from "../../texts/preview-build.ts";
import { type BuiltScript, refused, type ScriptSource } from "./built.ts";
import { buildScript } from "./script.ts";

/** What comes in; `guard` as `builder.ts` has it. */
export interface BuildOrder {
  readonly id: number;
  readonly source: ScriptSource;
  readonly guard: boolean;
}
export interface BuildDone {
  readonly id: number;
  readonly built: BuiltScript;
}

/** Reads what strangers wrote, beside the page: a text that takes forever holds nothing up, and one that breaks the reader breaks it here. */
async function build({ source, guard }: BuildOrder): Promise<BuiltScript> {
  return buildScript(source, guard ? (await import("./loops.ts")).guardLoops : undefined);
}

addEventListener("message", ({ data }: MessageEvent<BuildOrder>) => {
  void build(data).then(
    (built) => postMessage({ id: data.id, built } satisfies BuildDone),
    // The reader's own mistake; the page gets to see it as its own.
    (error: unknown) => postMessage({ id: data.id, built: refused(notReadBecause(data.source.path, String(error))) } satisfies BuildDone),
  );
});
