// oxlint-disable-next-line import/default -- the bundler makes it.
import url from "virtual:shell-script";

/** The address of the script that runs in a WebContainer, built from `script/main.ts`: one ES module, about 0.7 MB when transferred. */
export const scriptUrl: string = url;
