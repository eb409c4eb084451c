/** Whether the text is a model id that a dialog's header may hold. */
export function isModelName(text: string): boolean {
  return /^[A-Za-z0-9._:/-]{1,100}$/.test(text);
}
