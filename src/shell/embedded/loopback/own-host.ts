// This file also runs inside QuickJS, so it imports nothing.

/** Whether a host name, in an address or given by a program, means the dialog's own machine. */
export const isOwnHost = (name: string): boolean => /^(localhost|127(\.\d+){3}|0\.0\.0\.0|::1?|::ffff:127\.0\.0\.1|\[::1?\])$/.test(name);
