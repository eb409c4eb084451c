/**
 * What the host is like to those who come to it:
 *
 * - `fair`: as it should be;
 * - `quiet`: its page loads and never says that it is there;
 * - `mute`: it is there, and building never ends;
 * - `refuses`: its page may not be framed;
 * - `unreachable`: it closes every connection; lines that are open stay so;
 * - `fails`: building fails with this message;
 * - `slow`: building takes so many milliseconds longer.
 */
export type Weather = "fair" | "quiet" | "mute" | "refuses" | "unreachable" | { readonly fails: string } | { readonly slow: number };
