import { openInbox } from "./inbox.ts";

/** The hash of a page opened by the system's share sheet. */
export const sharedHash = /^#\/shared(?<full>-full)?$/;

declare global {
  interface Window {
    /** Exists if the browser supports file handlers. */
    readonly launchQueue?: { setConsumer(take: (launch: { readonly files: readonly FileSystemFileHandle[] }) => void): void };
  }
}

export interface ShareScreens {
  /** Something was just shared; `full`: it could not be stored. */
  readonly show: (full: boolean) => void;
  /** Something from before is still waiting. */
  readonly remind: () => void;
  /** A zip was opened with Vibey. */
  readonly zip: (file: File) => void;
}

/** Reports that files could not be read or stored. */
export const notKept =
  ({ show }: Pick<ShareScreens, "show">) =>
  (error: unknown) => {
    console.error(error);
    show(true);
  };

/** Checks what other apps have shared, now and whenever the system opens a file with Vibey. */
export async function startShare(screens: ShareScreens): Promise<void> {
  const shared = sharedHash.exec(location.hash);
  if (shared) history.replaceState(null, "", "#/docs");
  window.launchQueue?.setConsumer((launch) => takeFiles(launch.files, screens).catch(notKept(screens)));
  const inbox = await openInbox();
  try {
    if (shared) screens.show(shared.groups?.["full"] !== undefined);
    else if ((await inbox.all()).length > 0) screens.remind();
  } finally {
    inbox.close();
  }
}

async function takeFiles(handles: readonly FileSystemFileHandle[], screens: ShareScreens): Promise<void> {
  await handOver(await Promise.all(handles.map((handle) => handle.getFile())), screens);
}

/** Stores files until the user has decided about them, and asks. A single zip is opened instead. Rejects if the files can't be read or stored. */
export async function handOver(files: readonly File[], { show, zip }: Pick<ShareScreens, "show" | "zip">): Promise<void> {
  const [only] = files;
  if (only === undefined) return;
  if (files.length === 1 && /\.zip$/i.test(only.name)) return zip(only);
  const inbox = await openInbox();
  try {
    show(!(await inbox.put({ title: "", text: "", files })));
  } finally {
    inbox.close();
  }
}
