/** "(2) Vibey" while two dialogs wait. */
export const pageTitle = (waiting: number) => (waiting > 0 ? `(${waiting}) Vibey` : "Vibey");
