import { init } from "cjs-module-lexer";

/** The CommonJS lexer takes what it needs from the browser while it starts, before the runtime inside replaces it with Node's versions. */
export const lexerReady: Promise<void> = init();
