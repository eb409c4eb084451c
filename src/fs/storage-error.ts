/**
 * The error with which `stat`, `read`, `list`, `lead` and opening reject if the storage fails. So `null` always means "there is no such file", never
 * "could not look".
 *
 * - `closed`: this handle was closed, by its owner or by the browser.
 * - `foreign`: the database is not one of ours.
 * - `newer`: it is one of ours, written by a newer program.
 * - `damaged`: the stored data is inconsistent.
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
