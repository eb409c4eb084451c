/** The version of Python that this Pyodide is, and how its folders are named. */
export const pythonVersion = "3.14.2";
export const pythonFolder = "python3.14";
