/** The name of the hidden frame in which programs of a dialog run. */
export const title = "Programs of a dialog";
