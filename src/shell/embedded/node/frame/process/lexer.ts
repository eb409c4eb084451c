import { init } from "cjs-module-lexer";

/** The lexer of CommonJS takes what it starts with from the browser, before the inside puts Node's own there. */
export const lexerReady: Promise<void> = init();
