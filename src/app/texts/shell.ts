export const brand = "vibey";
/** As the title of the page and wherever its name is in a sentence of the browser. */
export const productName = "Vibey";

export const docs = "Docs";
export const dialogs = "Dialogs";
export const docsOrDialogs = "Docs or dialogs";
export const waitingForYou = "waiting for you";
export const history = "History";
export const cost = "Cost";
export const project = "Project";
export const settings = "Settings";
export const settingsSaved = "Settings saved.";
export const start = "Start";
export const preview = "Preview";
export const keys = "Keys";
export const find = "Find";
export const findAnythingHint = "Find anything";
export const findAnything = "Find anything…";
export const goToDocs = "Go to Docs";
export const goToDialogs = "Go to Dialogs";
export const goToHistory = "Go to History";
export const nextWaiting = "Next dialog that waits for you";
export const noneWaits = "No dialog waits for you.";

export const exportDocs = "Export the docs";
export const exportDialogs = "Export docs and dialogs";
export const exportAll = "Export everything";
export const openZip = "Open a zip…";
export const newProject = "New project…";
export const allProjects = "All projects…";
export const restoreState = "Put back an earlier state…";
export const openGuide = "Open the guide";
export const welcome = "Welcome page";

export const lookAsSystem = "Look as the system does";
export const lookLight = "Look light";
export const lookDark = "Look dark";

export const storageFull =
  "The browser's storage is full: unsaved text is kept only until this page is closed. Save it, or export the project.";
export const partNotLoaded = (why: string) => `A part of Vibey could not be loaded (${why}). Reload the page.`;

export const notices = "Notices";
export const openDialog = "Open the dialog";
export const dismiss = "Dismiss";
export const close = "Close";
export const create = "Create";
export const cancel = "Cancel";
export const remove = "Delete";
export const removeRow = (title: string) => `Delete ${title}`;

export const waitingForTab = "Waiting for another tab";
export const engineFailed = "The engine could not start";
export const nothingChanged = "Nothing of your project was changed. Reloading the page tries again.";
export const reload = "Reload";
