let want = (): void => undefined;
const wanted = new Promise<void>((resolve) => {
  want = resolve;
});

/**
 * The service worker is needed now: a command waits for the shell's policy, which the service worker adds if the host doesn't send it; or a key was
 * entered.
 */
export const wantServiceWorker = (): void => want();

/** Settles when `quiet` does, or at once when the service worker is wanted. Rejects with `quiet`. */
export const quietOrWanted = (quiet: () => Promise<void>): Promise<void> => Promise.race([quiet(), wanted]);
