export const importedNote = "This dialog was imported. Its old permissions don't apply here.";
export const forkedNote = "Permissions from the original dialog don't apply in this fork.";
export const look = "Review";
export const lookExactly = "Review its old permissions";
export const change = "Change";
export const changeExactly = "Change which hosts commands can connect to";

export const allowedTools = "Allowed without asking";
export const allowedToolsBefore = "Allowed without asking:";
export const askAgain = "Ask first";

export const hosts = "Hosts that commands can or can't connect to";
export const hostsBefore = "Hosts:";
export const mayDoAt = (host: string) => `What commands can do at ${host}`;
export const refused = "Nothing";
export const getOnly = "GET only";
export const getOnlyNoMore = "GET only, don't ask for more";
export const anyMethod = "All methods";
export const anyMethodNoUploads = "All methods, don't ask for uploads";
export const uploads = "All methods and uploads";
