import { openInbox } from "./inbox.ts";

/** What the hash says when the page was opened by the system's share sheet. */
export const sharedHash = /^#\/shared(?<full>-full)?$/;

declare global {
  interface Window {
    /** Where a browser has file handlers. */
    readonly launchQueue?: { setConsumer(take: (launch: { readonly files: readonly FileSystemFileHandle[] }) => void): void };
  }
}

export interface ShareScreens {
  /** Something was handed over just now; `full`: it could not be kept. */
  readonly show: (full: boolean) => void;
  /** Something from before still waits. */
  readonly remind: () => void;
  /** A zip was opened with Vibey. */
  readonly zip: (file: File) => void;
}

/** Looks for what other apps have handed over, now and whenever the system opens a file with Vibey. */
export async function startShare(screens: ShareScreens): Promise<void> {
  const shared = sharedHash.exec(location.hash);
  if (shared) history.replaceState(null, "", "#/docs");
  window.launchQueue?.setConsumer((launch) =>
    takeFiles(launch.files, screens).catch((error: unknown) => {
      console.error(error);
      screens.show(true);
    }),
  );
  const inbox = await openInbox();
  try {
    if (shared) screens.show(shared.groups?.["full"] !== undefined);
    else if ((await inbox.all()).length > 0) screens.remind();
  } finally {
    inbox.close();
  }
}

async function takeFiles(handles: readonly FileSystemFileHandle[], { show, zip }: ShareScreens): Promise<void> {
  if (handles.length === 0) return;
  const files = await Promise.all(handles.map((handle) => handle.getFile()));
  const [only] = files;
  if (only !== undefined && files.length === 1 && /\.zip$/i.test(only.name)) return zip(only);
  const inbox = await openInbox();
  try {
    show(!(await inbox.put({ title: "", text: "", files })));
  } finally {
    inbox.close();
  }
}
