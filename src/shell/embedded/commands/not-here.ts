/**
 * Commands that agents reach for and that make no sense here, and what to do instead. They are no commands: `command -v` does not find them, their
 * exit code is 127, and the line that says so is given the reason.
 */
const instead: readonly (readonly [names: string, why: string])[] = [
  ["sudo su doas", "there are no other users here; run the command itself"],
  ["apt apt-get dpkg yum dnf apk brew snap pacman", "nothing can be installed here; use the commands that are there"],
  ["pnpm yarn bun corepack", "use npm"],
  ["pip pip3 pipx conda uv poetry", "Python packages can't be installed here"],
  [
    "ssh scp sftp rsync ftp telnet nc ncat ping dig nslookup host traceroute ip ifconfig netstat ss",
    "only curl, wget, git, npm and node reach the network here, over https",
  ],
  ["systemctl service journalctl crontab at", "there are no services here"],
  ["docker podman kubectl", "there are no containers here"],
  ["mount umount mkfs fdisk lsblk", "there are no disks here"],
  ["gcc g++ cc clang make cmake cargo rustc go java javac mvn gradle", "there is no compiler here, and no native program can be run"],
  ["vi vim nano emacs", "there is no terminal; use sed, patch or a here-document"],
  ["tmux screen watch top htop", "there is no terminal"],
  ["openssl gpg", "use sha256sum and its kind, base64, or head -c 16 /dev/urandom | xxd -p"],
  ["bzip2 bunzip2 xz unxz zstd 7z rar unrar", "use gzip or zip"],
];

const reasons = new Map(instead.flatMap(([names, why]) => names.split(" ").map((name) => [name, why] as const)));

export const namesNotHere: readonly string[] = [...reasons.keys()];

/** What to do instead of a command that is not here; null: nothing is known of it. */
export function reasonNotHere(name: string): string | null {
  return reasons.get(name) ?? null;
}
