import type { Plugin } from "vite";

/**
 * What the page may hold of the lower layers: what crosses the boundary (`protocol`), who did something, and pure functions of texts. The
 * page merges, names and matches as the engine does. None of it knows keys, files or agents.
 */
const allowed =
  /[\\/]src[\\/](?:protocol[\\/]|fs[\\/]text[\\/]|fs[\\/]actor\.ts|dialog[\\/](?:ids|pattern|schedule|stopped)\.ts|dialog[\\/]mentions[\\/]|shell[\\/]embedded[\\/]parts[\\/]asker\.ts)/;

/** The engine lives in its worker, where the keys are. The build fails when one of its modules gets into a chunk of the page. */
export function pageWithoutEngine(): Plugin {
  return {
    name: "page-without-engine",
    apply: "build",
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== "chunk") continue;
        const strays = Object.entries(output.modules)
          .filter(
            ([id, module]) =>
              /[\\/]src[\\/](engine|shell|dialog|fs|protocol)[\\/]/.test(id) &&
              !/[?&]worker/.test(id) &&
              !allowed.test(id) &&
              module.renderedLength > 0,
          )
          .map(([id]) => id);
        if (strays.length > 0) this.error(`engine modules in the page's chunk ${output.fileName}: ${strays.join(", ")}`);
      }
    },
  };
}
