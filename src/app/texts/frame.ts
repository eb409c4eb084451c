export const brand = "vibey";
/** The title of the page, and the name in the browser's own sentences. */
export const productName = "Vibey";

export const docs = "Docs";
export const dialogs = "Dialogs";
export const docsOrDialogs = "Docs and dialogs";
export const waitingForYou = "waiting for you";
export const history = "History";
export const cost = "Cost";
export const agents = "Agents";
export const stations = "Stations";
export const project = "Project";
export const settings = "Settings";
export const settingsSaved = "Settings saved.";
export const start = "Start";
export const preview = "Preview";
export const keys = "Keyboard shortcuts";
export const find = "Find";
export const findAnythingHint = "Find anything";
export const findAnything = "Find anything…";
export const goToDocs = "Go to Docs";
export const goToDialogs = "Go to Dialogs";
export const goToHistory = "Go to History";
export const goToEvents = "Go to Events";
export const nextWaiting = "Next dialog waiting for you";
export const noneWaits = "No dialogs are waiting for you.";

export const exportDocs = "Export docs";
export const exportDialogs = "Export docs and dialogs";
export const exportAll = "Export everything";
export const openZip = "Import zip…";
export const newProject = "New project…";
export const allProjects = "All projects…";
export const restoreState = "Restore an earlier version…";
export const openGuide = "Open guide";
export const welcome = "Welcome page";

export const lookAsSystem = "Appearance: system";
export const lookLight = "Appearance: light";
export const lookDark = "Appearance: dark";

export const storageFull = "The browser's storage is full. Unsaved text is lost when you close this page. Export the project.";
export const partNotLoaded = (why: string) => `Part of Vibey couldn't load (${why}). Reload the page.`;

export const notices = "Notifications";
export const openDialog = "Open dialog";
export const dismiss = "Dismiss";
export const close = "Close";
export const create = "Create";
export const cancel = "Cancel";
export const remove = "Delete";
export const removeRow = (title: string) => `Delete ${title}`;

export const waitingForTab = "Waiting for another tab";
export const engineFailed = "Vibey couldn't start";
export const nothingChanged = "Your project wasn't changed. Reload to try again.";
export const reload = "Reload";
