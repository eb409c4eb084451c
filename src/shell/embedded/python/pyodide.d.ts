/** The part of Pyodide that is loaded here. Pyodide's own loader fetches, which the shell's worker can't. */
declare module "pyodide/pyodide.asm.mjs" {
  import type { EmscriptenModule } from "./interpreter.ts";
  export default function createPyodideModule(settings: object): Promise<EmscriptenModule>;
}
