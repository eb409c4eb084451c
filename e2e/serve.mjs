// Serves the production build for the browser tests.
import { resolve } from "node:path";
import { serve } from "../scripts/serve.mjs";

await serve({
  root: resolve(process.env.VIBEY_DIST ?? "dist"),
  base: "/vibey/",
  port: Number(process.argv[2]),
  bare: process.env.VIBEY_HEADERS === "none",
});
