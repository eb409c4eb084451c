// Runs inside QuickJS, too: it imports nothing.

/** Whether a name means the dialog's own machine, as in an address or as a program gives it. */
export const isOwnHost = (name: string): boolean => /^(localhost|127(\.\d+){3}|0\.0\.0\.0|::1?|::ffff:127\.0\.0\.1|\[::1?\])$/.test(name);
