/** A model's id, as it may stand in a dialog's header. */
export function isModelName(text: string): boolean {
  return /^[A-Za-z0-9._:/-]{1,100}$/.test(text);
}
