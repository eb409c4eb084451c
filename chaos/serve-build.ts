import { serve } from "../scripts/serve.mjs";

/** The production build, served with its headers, at a port of its own. */
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
