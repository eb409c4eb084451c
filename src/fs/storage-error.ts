/**
 * What `stat`, `read`, `list` and `lead` reject with when the storage does not answer, and what opening it rejects with. So
 * `null` always means "there is no such file", never "could not look".
 *
 * - `closed`: this handle was closed, by its owner or by the browser.
 * - `foreign`: the database is not one of ours.
 * - `newer`: it is one of ours, and a newer program's.
 * - `damaged`: what is stored contradicts itself.
 * - `full`, `broken`: as in `CommitFailure`.
 */
export type StorageErrorKind = "closed" | "foreign" | "newer" | "damaged" | "full" | "broken";

export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly kind: StorageErrorKind;

  constructor(kind: StorageErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
