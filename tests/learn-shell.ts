import { learnInterpreterErrors } from "../src/shell/embedded/interpreter-errors.ts";

/** Runs before a test file can load just-bash in another way, which the module that watches its errors would miss. */
await learnInterpreterErrors();
