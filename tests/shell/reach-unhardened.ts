import { sayWhatIsReached } from "./say-what-is-reached.ts";

sayWhatIsReached();
