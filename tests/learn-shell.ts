import { learnInterpreterErrors } from "../src/shell/embedded/interpreter-errors.ts";

/** Before a file of tests can load just-bash by another way, which the module that watches its errors would miss. */
await learnInterpreterErrors();
