export const noNetwork = (name: string) =>
  `The preview has no network access, so it can't load ${name}. Install it with npm, or add a copy to the project.`;
export const nodeModule = (name: string) => `${name} is a Node.js module. Browsers don't have it.`;
export const notAmongFiles = (name: string) => `${name} isn't in the project.`;
export const unknownName = (name: string, wanted: string) =>
  `Couldn't find "${name}": it isn't a file path, it isn't in the page's import map, and node_modules/${wanted} doesn't exist. Try npm install ${wanted}.`;
export const notExported = (owner: string, folder: string, name: string) => `The package ${owner} in ${folder} doesn't export "${name}".`;
export const exportMissing = (owner: string, folder: string, name: string) =>
  `The package ${owner} in ${folder} exports "${name}", but that file is missing.`;
export const notRead = (path: string) => `Couldn't read ${path}.`;
export const notReadBecause = (path: string, why: string) => `Couldn't read ${path}: ${why}`;
export const notNamed = (name: string) => `Couldn't find "${name}": it isn't an address, and it isn't in the page's import map.`;
export const noNetworkServed = (name: string) => `The preview has no network access, so it can't load ${name}. Serve it from this server.`;

/** A request of a server's page is too large. The limit is in megabytes. */
export const tooMuchSent = (megabytes: number): string => `A request can send up to ${megabytes} MB.`;

/** A server's answer redirects the page to this address. */
export const leadsElsewhere = (address: string): string => `The page leads to ${address}, which is another server.`;
