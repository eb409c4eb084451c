// npm start: installs what is missing, builds what is old, serves the app and prints its address.
import { resolve } from "node:path";
import { ensureInstalled } from "./install.mjs";
import { ensureBuilt } from "./build.mjs";
import { serve } from "./serve.mjs";

process.chdir(resolve(import.meta.dirname, ".."));
ensureInstalled();
ensureBuilt();
const port = Number(process.env.PORT ?? 3001);
try {
  await serve({ root: resolve("dist"), port, host: "127.0.0.1" });
} catch (error) {
  const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  const why = taken ? `port ${port} is taken; set another one: PORT=3002 npm start` : String(error);
  console.error(`Vibey could not be served: ${why}`);
  process.exit(1);
}
console.log(`Vibey is at http://localhost:${port}/`);
