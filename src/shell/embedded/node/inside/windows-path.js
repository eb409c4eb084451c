// `path.win32`, as in Node 20.
const isSeparator = (character) => character === "/" || character === "\\";
const startsWithDrive = (path) => /^[A-Za-z]:/.test(path);

/** The device (`C:`, `\\server\share`), the end of the root, and whether the path is absolute. */
function rootOf(path, knowsDevices = false) {
  const share = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/.exec(path);
  if (share && knowsDevices && /^[.?]$/.test(share[1])) return { device: `\\\\${share[1]}`, end: 4, isAbsolute: true, isShare: false };
  if (share) {
    const end = share[0].length;
    return { device: `\\\\${share[1]}\\${share[2]}`, end, isAbsolute: true, isShare: true };
  }
  if (isSeparator(path[0])) return { device: "", end: 1, isAbsolute: true, isShare: false };
  if (!startsWithDrive(path)) return { device: "", end: 0, isAbsolute: false, isShare: false };
  const isAbsolute = isSeparator(path[2]);
  return { device: path.slice(0, 2), end: isAbsolute ? 3 : 2, isAbsolute, isShare: false };
}

function normalizeSegments(text, mayGoUp) {
  const steps = [];
  for (const step of text.split(/[\\/]+/)) {
    if (step === "" || step === ".") continue;
    if (step !== "..") steps.push(step);
    else if (steps.length > 0 && steps.at(-1) !== "..") steps.pop();
    else if (mayGoUp) steps.push(step);
  }
  return steps.join("\\");
}

function lastSegment(path) {
  const start = startsWithDrive(path) ? 2 : 0;
  return /([^\\/]*)[\\/]*$/.exec(path.slice(start))[1];
}

function splitExtension(base) {
  const dot = base.lastIndexOf(".");
  return dot <= 0 || base === ".." ? [base, ""] : [base.slice(0, dot), base.slice(dot)];
}

/** `cwd` returns the working directory. */
export const windowsPath = (cwd) => {
  const win32 = {
    sep: "\\",
    delimiter: ";",
    isAbsolute: (path) => isSeparator(path[0]) || (startsWithDrive(path) && isSeparator(path[2])),
    normalize(path) {
      if (path === "") return ".";
      const { device, end, isAbsolute, isShare } = rootOf(path, true);
      if (isShare && end === path.length) return `${device}\\`;
      let tail = normalizeSegments(path.slice(end), !isAbsolute);
      if (tail === "" && !isAbsolute) tail = ".";
      if (tail !== "" && path.length > end && isSeparator(path.at(-1))) tail += "\\";
      // The result would look like a device.
      if (!isAbsolute && device === "" && (startsWithDrive(tail) || /:(?:[\\/]|$)/.test(path))) return `.\\${tail}`;
      return `${device}${isAbsolute ? "\\" : ""}${tail}`;
    },
    join(...parts) {
      const given = parts.filter((part) => part !== "");
      if (given.length === 0) return ".";
      const joined = given.join("\\");
      // Only the first part can name a share.
      return win32.normalize(/^[\\/]{2}[^\\/]/.test(given[0]) ? joined : joined.replace(/^[\\/]{2,}/, "\\"));
    },
    resolve(...parts) {
      let [device, tail, isAbsolute] = ["", "", false];
      for (const path of [...parts.toReversed().filter((part) => part !== ""), null]) {
        if (isAbsolute && device !== "") break;
        // Without an absolute path for a drive, its directory is the root.
        const given = path ?? cwd();
        const root = rootOf(given, true);
        if (root.device !== "" && device !== "" && root.device.toLowerCase() !== device.toLowerCase()) continue;
        if (device === "") device = root.device;
        if (isAbsolute) continue;
        tail = `${given.slice(root.end)}\\${tail}`;
        isAbsolute = root.isAbsolute;
      }
      return `${device}${isAbsolute ? "\\" : ""}${normalizeSegments(tail, !isAbsolute)}` || ".";
    },
    relative(from, to) {
      const [start, end] = [win32.resolve(from), win32.resolve(to)];
      const steps = (path) => path.split("\\").filter((step) => step !== "");
      const [before, after] = [steps(start), steps(end)];
      let common = 0;
      while (common < before.length && common < after.length && before[common].toLowerCase() === after[common].toLowerCase()) common++;
      if (common === 0 && before.length > 0 && after.length > 0) return end;
      return [...before.slice(common).map(() => ".."), ...after.slice(common)].join("\\");
    },
    dirname(path) {
      if (path === "") return ".";
      const root = rootOf(path);
      if (root.isShare && root.end === path.length) return path;
      const offset = root.isShare ? root.end + 1 : root.end;
      const cut = path
        .slice(offset)
        .replace(/[\\/]*$/, "")
        .search(/[\\/][^\\/]*$/);
      return cut >= 0 ? path.slice(0, offset + cut) : offset === 0 ? "." : path.slice(0, offset);
    },
    basename(path, suffix) {
      if (suffix !== undefined && suffix === path) return "";
      const base = lastSegment(path);
      if (base === "" && suffix && suffix.length <= path.length) return path.slice(startsWithDrive(path) ? 2 : 0);
      return suffix !== undefined && suffix !== base && base.endsWith(suffix) ? base.slice(0, base.length - suffix.length) : base;
    },
    extname: (path) => splitExtension(lastSegment(path))[1],
    parse(path) {
      const root = rootOf(path);
      const end = root.isShare && root.end < path.length ? root.end + 1 : root.end;
      const base = lastSegment(path.slice(end));
      const [name, ext] = splitExtension(base);
      const start = path.slice(end).replace(/[\\/]*$/, "").length - base.length + end;
      return { root: path.slice(0, end), dir: start > end ? path.slice(0, start - 1) : path.slice(0, end), base, ext, name };
    },
    format({ dir, root, base, name = "", ext = "" }) {
      const folder = dir || root;
      const file = base || `${name}${ext === "" || ext.startsWith(".") ? "" : "."}${ext}`;
      return !folder ? file : folder === root ? `${folder}${file}` : `${folder}\\${file}`;
    },
    toNamespacedPath(path) {
      if (typeof path !== "string" || path === "") return path;
      const resolved = win32.resolve(path);
      if (/^\\\\[^?.]/.test(resolved)) return `\\\\?\\UNC\\${resolved.slice(2)}`;
      return /^[A-Za-z]:\\/.test(resolved) ? `\\\\?\\${resolved}` : resolved.length <= 2 ? path : resolved;
    },
  };
  return win32;
};
