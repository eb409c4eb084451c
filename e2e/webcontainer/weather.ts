/**
 * How the host behaves toward its clients:
 *
 * - `fair`: normally;
 * - `quiet`: its page loads and never reports that it is ready;
 * - `mute`: it is ready, but building never ends;
 * - `refuses`: its page may not be framed;
 * - `unreachable`: it closes every connection; open sockets stay open;
 * - `fails`: building fails with this message;
 * - `slow`: building takes this many milliseconds longer.
 */
export type Weather = "fair" | "quiet" | "mute" | "refuses" | "unreachable" | { readonly fails: string } | { readonly slow: number };
