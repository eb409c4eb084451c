import { counted } from "./counted.ts";
import type { Part } from "./part.ts";

export const bridge = "Bridge";
export const what: readonly Part[] = [
  "Lets a phone or another program see your dialogs and answer them. Start it on this machine with ",
  { code: "npm run bridge" },
  " and the same key. Each project connects on its own.",
];

export const off = "Off. No program can connect.";
export const connecting = "Connecting…";
/** `why`: a sentence without its period. */
export const connectingAgain = (why: string) => `${why}. Trying again…`;
export const notStarted: readonly Part[] = ["If the bridge isn't running, start it with ", { code: "npm run bridge" }, "."];
/** `address`: the bridge's address, such as `https://192.168.1.20:7870/`. */
export const openOnce = (address: string): readonly Part[] => ["To check the certificate, open ", { code: address }, " in this browser."];
export const connected = (address: string) => `Connected to ${address}.`;
export const refused = (why: string) => `Not connected. ${why}.`;
export const traffic = (calls: number, streams: number) => `${counted(calls, "call")} so far, ${counted(streams, "stream")} open.`;

/** `address`: where programs reach this project, such as `http://127.0.0.1:7870/api`. */
export const reachedAt = (address: string): readonly Part[] => ["Programs reach this project at ", { code: address }, "."];

export const otherPage = "Programs reach the other page now, which may be in another browser.";
export const takeOver = "Connect this page instead";
export const key = "Bridge key";
export const keyHint = "The VIBECHECK_PSK that the bridge was started with. It is kept in this browser and can't be read again.";
export const keyKept = "Keep the saved key";
export const address = "Bridge address";
export const connect = "Connect";
export const disconnect = "Disconnect";

export const comesIn = "What programs can do";
export const mayDo: readonly string[] = [
  "Programs with the key see all dialogs and what happens in them.",
  "They approve and deny calls, send messages, and start and stop dialogs.",
];
export const all = "Programs with the key may do everything I can";
export const allHint = "They also read and write docs and files. Keys, providers, imports, and removals stay closed.";

export const notRead = (why: string) => `Couldn't load the bridge's state: ${why}`;
export const notConnected = (why: string) => `Couldn't connect: ${why}`;
export const notSaved = (why: string) => `Couldn't save this: ${why}`;
