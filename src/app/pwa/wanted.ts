let want = (): void => undefined;
const wanted = new Promise<void>((resolve) => {
  want = resolve;
});

/** A command waits for the service worker, which adds the shell's policy where the host sends none. */
export const wantServiceWorker = (): void => want();

/** Settles when `quiet` does, or at once when the service worker is wanted. Rejects with `quiet`. */
export const quietOrWanted = (quiet: () => Promise<void>): Promise<void> => Promise.race([quiet(), wanted]);
