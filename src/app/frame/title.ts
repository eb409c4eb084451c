import * as t from "../texts/frame.ts";

/** "(2) A garden – Vibey" while two dialogs wait. The project's name is included if there are several projects. */
export function pageTitle(waiting: number, project: string | null = null): string {
  return `${waiting > 0 ? `(${waiting}) ` : ""}${project === null ? "" : `${project} – `}${t.productName}`;
}
