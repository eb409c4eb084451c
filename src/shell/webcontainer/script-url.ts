// oxlint-disable-next-line import/default -- the bundler makes it.
import url from "virtual:shell-script";

/** Where the shell's script lies that runs in a WebContainer, made of `script/main.ts`: one ES module, about 0.7 MB on the wire. */
export const scriptUrl: string = url;
