import * as t from "../texts/frame.ts";

/** "(2) A garden – Vibey" while two dialogs wait; the project's name where there are several. */
export function pageTitle(waiting: number, project: string | null = null): string {
  return `${waiting > 0 ? `(${waiting}) ` : ""}${project === null ? "" : `${project} – `}${t.productName}`;
}
