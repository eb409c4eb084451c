import type { Plugin } from "vite";

/** Pure functions of texts and names, and how a shell's worker is asked about a command: they import nothing but one another, and know nothing of keys, files or agents. The page merges and names as the engine does. */
const aboutTexts =
  /[\\/]src[\\/]engine[\\/](?:merge-texts|project-name|format[\\/]pattern|sandbox[\\/]embedded[\\/](?:parts[\\/]asker|git[\\/]text[\\/](?:line-diff|merge-lines)))\.ts$/;

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
              /[\\/]src[\\/](engine|fs)[\\/]/.test(id) && !/[?&]worker/.test(id) && !aboutTexts.test(id) && module.renderedLength > 0,
          )
          .map(([id]) => id);
        if (strays.length > 0) this.error(`engine modules in the page's chunk ${output.fileName}: ${strays.join(", ")}`);
      }
    },
  };
}
