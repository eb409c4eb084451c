/** The title of the hidden frame in which a dialog's programs run. */
export const title = "Programs of a dialog";
