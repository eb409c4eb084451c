import { type IdbFiles, openIdbFiles } from "../../src/fs/idb.ts";
import { commit } from "./notation.ts";

export type Order = { do: "open"; name: string } | { do: "append"; times: number } | { do: "heard" };

let files: IdbFiles | null = null;
const heard: number[] = [];

addEventListener("message", async ({ data }: MessageEvent<Order>) => {
  if (data.do === "open") {
    files = await openIdbFiles({ name: data.name, now: () => 0 });
    files.watch((events) => heard.push(...events.map((event) => (event.kind === "changed" ? event.version : 0))));
    postMessage("opened");
  } else if (data.do === "append") {
    const open = files;
    if (!open) throw new Error("append came before open");
    await Promise.all(Array.from({ length: data.times }, (_, n) => commit(open, `append a w${n},`)));
    postMessage("appended");
  } else postMessage(heard);
});
