// oxlint-disable-next-line import/no-unassigned-import -- the shell's worker has the same first import, and its effect is what the test checks.
import "../../src/shell/embedded/harden.ts";
import { sayWhatIsReached } from "./say-what-is-reached.ts";

sayWhatIsReached();
