import { errnoOf } from "./errors.js";
import process from "./process.js";
import { signals } from "./signals.js";

const errno = {};
for (const name of [
  "EPERM",
  "ENOENT",
  "EIO",
  "EBADF",
  "EAGAIN",
  "ENOMEM",
  "EACCES",
  "EBUSY",
  "EEXIST",
  "ENOTDIR",
  "EISDIR",
  "EINVAL",
  "ENOSPC",
  "EROFS",
  "EPIPE",
  "ENOSYS",
  "ENOTEMPTY",
])
  errno[name] = -errnoOf(name);

const memory = 512 * 1024 * 1024;

export default {
  EOL: "\n",
  devNull: "/dev/null",
  constants: { signals, errno, priority: {}, dlopen: {}, UV_UDP_REUSEADDR: 4 },
  arch: () => "x64",
  availableParallelism: () => 1,
  cpus: () => [{ model: "QuickJS", speed: 1000, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } }],
  endianness: () => "LE",
  freemem: () => Math.max(0, memory - process.memoryUsage().heapUsed),
  getPriority: () => 0,
  homedir: () => process.env.HOME ?? "/project",
  hostname: () => process.env.HOSTNAME ?? "vibey",
  loadavg: () => [0, 0, 0],
  machine: () => "x86_64",
  networkInterfaces: () => ({}),
  platform: () => "linux",
  release: () => "6.0.0",
  setPriority() {},
  tmpdir: () => (process.env.TMPDIR ?? process.env.TMP ?? process.env.TEMP ?? "/tmp").replace(/(.)\/$/, "$1"),
  totalmem: () => memory,
  type: () => "Linux",
  uptime: () => process.uptime(),
  userInfo: () => ({
    uid: 1000,
    gid: 1000,
    username: process.env.USER ?? "user",
    homedir: process.env.HOME ?? "/project",
    shell: "/bin/bash",
  }),
  version: () => "#1 SMP",
};
