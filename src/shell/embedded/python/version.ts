/** The Python version of this Pyodide, and the name of its folders. */
export const pythonVersion = "3.14.2";
export const pythonFolder = "python3.14";
