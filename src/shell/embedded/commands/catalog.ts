/** The commands that agents are told about. Data only, because the engine imports it, too. A test compares it with the shell. */
export const toldCommands: readonly string[] = (
  "awk background base32 base64 basename bc cat chmod cksum cmp column comm cp csplit curl cut date dd df diff dirname du echo egrep env envsubst expand expr fgrep file find flock fold " +
  "gawk git grep groups gunzip gzip head hexdump id install join jq kill killall less ls make md5sum mkdir mktemp more mv nc nice nl node nohup nproc npm npx numfmt od openssl paste patch perl pgrep pip pkill printf ps pwd " +
  "pytest python python3 readlink realpath rev rg rm rmdir sed seq sha1sum sha256sum sha384sum sha512sum shuf sleep sort split sqlite3 stat strings sync tac tail tar tee time timeout " +
  "touch tr tree truncate tsort tty uname unexpand uniq unzip wc wget which whoami xargs xxd yes zcat zip"
).split(" ");

/** Commands that exist but need no mention: parts of bash, and commands without an effect here. */
export const untoldCommands: readonly string[] = (
  ": [ alias arch bash bg builtin cd clear command compgen complete declare dirs disown eval exec exit export false fg free getopts hash help history hostname html-to-markdown ionice jobs let ln " +
  "hd local logname mapfile pip3 popd printenv pushd read readarray readonly return set setsid sh shift shopt source stdbuf stty test tput trap true type typeset ulimit umask unalias unbuffer unset wait xan yq"
).split(" ");

/**
 * Commands that agents try and that make no sense here, with what to do instead. They are not commands: `command -v` does not find them and their
 * exit code is 127, but the error line gets the reason.
 */
export const instead: readonly (readonly [names: string, why: string])[] = [
  ["sudo su doas", "there are no other users here; run the command itself"],
  ["apt apt-get dpkg yum dnf apk brew snap pacman", "nothing can be installed here; use the commands that are there"],
  ["pnpm yarn bun corepack", "use npm"],
  ["pipx conda uv poetry pipenv", "use pip, which installs packages of pure Python"],
  [
    "ssh scp sftp rsync ftp telnet ncat ping dig nslookup host traceroute ip ifconfig",
    "only curl, wget, git, npm and node reach the network here, over https",
  ],
  ["systemctl service journalctl crontab at", "there are no services here"],
  ["docker podman kubectl", "there are no containers here"],
  ["mount umount mkfs fdisk lsblk", "there are no disks here"],
  ["gcc g++ cc clang cmake cargo rustc go java javac mvn gradle", "there is no compiler here, and no native program can be run"],
  ["vi vim nano emacs", "there is no terminal; use sed, patch or a here-document"],
  ["tmux screen watch top htop", "there is no terminal"],
  ["gpg", "use sha256sum and its kind, openssl dgst or rand, or base64"],
  ["lsof ss netstat fuser", "use nc -z localhost PORT to see whether a server of yours listens, ps for jobs, and kill %1 to end one"],
  ["fd fdfind locate", "use find, or rg --files"],
  ["ag ack", "use rg, or grep -rn"],
  ["bat exa eza", "use cat, ls or tree"],
  ["parallel", "use xargs"],
  ["dos2unix unix2dos", "use sed -i 's/\\r$//' or sed -i 's/$/\\r/'"],
  ["gh", "use git and curl"],
  ["inotifywait entr", "run the command again after a change"],
  ["shellcheck shfmt", "use bash -n to check the syntax"],
  ["xmllint", "use python3 with xml.etree"],
  ["ruby php lua Rscript", "use node or python3"],
  ["ed ex m4", "use sed, patch, or python3 - <<'EOF'"],
  ["fmt", "use fold -s -w 75"],
  ["iconv", "use python3 -c with encode and decode"],
  ["sdiff colordiff", "use diff -u"],
  ["tox nox", "use pytest, or python3 -m unittest"],
  ["black flake8 pylint isort", "install it with pip, then run it with python3 -m"],
  ["ruff mypy", "it is compiled code, which can't run here; use python3 -m py_compile to check the syntax"],
  ["strace gdb lldb valgrind perf", "no native program runs here; print what you need to see"],
  ["bzip2 bunzip2 xz unxz zstd 7z rar unrar", "use gzip or zip"],
];
