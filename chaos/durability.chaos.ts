import { durability } from "./durability/durability.ts";
import { report } from "./report.ts";

report("durability", null, await durability(process.env["VIBEY_DIST"] ?? "dist"));
