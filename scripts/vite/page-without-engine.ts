import type { Plugin } from "vite";

/**
 * The modules of lower layers that the page may contain: messages across the boundary (`protocol`), actors, and pure functions on text. With
 * these the page merges, names and matches as the engine does. None of them knows keys, files or agents.
 */
const allowed =
  /[\\/]src[\\/](?:protocol[\\/]|fs[\\/]text[\\/]|fs[\\/]actor\.ts|dialog[\\/](?:ids|pattern|schedule|stopped)\.ts|dialog[\\/]mentions[\\/]|shell[\\/]embedded[\\/]parts[\\/]asker\.ts)/;

/** The engine runs in its worker, which holds the keys. The build fails if one of its modules gets into a chunk of the page. */
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
