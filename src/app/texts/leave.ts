export const importedNote = "This dialog came with a zip. What it allowed there does not count here.";
export const forkedNote = "What was allowed in the dialog that this one is forked from does not count here.";
export const look = "Look";
export const lookExactly = "Look at what it allowed";
export const change = "Change";
export const changeExactly = "Change which hosts commands may reach";

export const allowedTools = "Allowed without asking";
export const allowedToolsBefore = "Allowed without asking:";
export const askAgain = "Ask again";

export const allowedHosts = "Commands may reach";
export const allowedHostsBefore = "Commands may reach:";
export const refusedHosts = "Commands may not reach";
export const refusedHostsBefore = "Commands may not reach:";
export const allow = "Allow";
export const allowExactly = (host: string) => `Allow ${host}`;
export const refuse = "Refuse";
export const refuseExactly = (host: string) => `Refuse ${host} from now on`;
