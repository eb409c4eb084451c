export const importedNote = "This dialog came with a zip. What it allowed there does not count here.";
export const forkedNote = "What was allowed in the dialog that this one is forked from does not count here.";
export const look = "Look";
export const lookExactly = "Look at what it allowed";
export const change = "Change";
export const changeExactly = "Change which hosts commands may reach";

export const allowedTools = "Allowed without asking";
export const allowedToolsBefore = "Allowed without asking:";
export const askAgain = "Ask again";

export const hosts = "Hosts that commands may reach, or not";
export const hostsBefore = "Hosts:";
export const mayDoAt = (host: string) => `What commands may do at ${host}`;
export const refused = "Nothing";
export const getOnly = "GET only";
export const getOnlyNoMore = "GET only, do not ask for more";
export const anyMethod = "All methods";
export const anyMethodNoUploads = "All methods, do not ask for uploads";
export const uploads = "All methods and uploads";
