export const noNetwork = (name: string) =>
  `The preview has no network, so ${name} can't be loaded. Install it with npm, or keep a copy among the files.`;
export const nodeModule = (name: string) => `${name} is a module of Node; a browser has none of its modules.`;
export const notAmongFiles = (name: string) => `${name} is not among the project's files.`;
export const unknownName = (name: string, wanted: string) =>
  `"${name}" is not a file's path, no import map of the page names it, and there is no node_modules/${wanted}: try npm install ${wanted}.`;
export const notExported = (owner: string, folder: string, name: string) =>
  `The package ${owner} is in ${folder}, but it does not export "${name}".`;
export const exportMissing = (owner: string, folder: string, name: string) =>
  `The package ${owner} is in ${folder}, but the file that "${name}" means there is missing.`;
export const notRead = (path: string) => `${path} could not be read.`;
export const notReadBecause = (path: string, why: string) => `${path} could not be read: ${why}`;
