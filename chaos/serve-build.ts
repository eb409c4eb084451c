import { serve } from "../scripts/serve.mjs";

/** Serves the production build with its headers on a free port. */
export async function serveBuild(root = process.env["VIBEY_DIST"] ?? "dist"): Promise<{ readonly url: string; close(): void }> {
  const server = await serve({ root, port: 0 });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://localhost:${address.port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
