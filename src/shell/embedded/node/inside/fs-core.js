// Node's synchronous file functions. fs.js and fs-promises.js wrap them with callbacks and promises.
export { constants } from "./fs-constants.js";
export { pathOf } from "./fs-paths.js";
export { Dirent, Stats } from "./fs-stats.js";
export {
  closeSync,
  fchmodSync,
  fchownSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  isStdin,
  openSync,
  readSync,
  readvSync,
  writeSync,
  writevSync,
} from "./fs-open.js";
export { appendFileSync, readFileSync, truncateSync, writeFileSync } from "./fs-content.js";
export {
  accessSync,
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  Dir,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  opendirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from "./fs-names.js";
