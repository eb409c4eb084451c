import { limits } from "../../protocol/limits.ts";

/** What the model is told about the shell in a WebContainer. Byte-stable, because it is part of the prompt that providers cache. */
export const aboutWebContainer = `## The shell

run_command runs bash in a WebContainer: real Node.js and npm, in the browser. It isn't a Linux machine: the shell is just-bash, an interpreter with its own commands over the container's files; programs are real processes.

- The project is at \`/home/project\`, the first working directory. \`cd\` and \`export\` are kept from one command to the next; other variables, functions, aliases and \`set\` are not. Other folders, including \`/tmp\`, are not kept.
- Limits: ${limits.commandMs / 1000} s per command, unless the user set another time; ${limits.commandOutputBytes / 1_000_000} MB each of stdout and stderr (the middle is cut); the shell's variables can take 256 MB. A result names the limit that stopped it.
- Run anything longer, servers above all, in the background: with \`background: true\` a command keeps running on its own for up to ${limits.serverMs / 3_600_000} hours, two at a time in the project; \`background\`, \`background read|wait|stop <id>\` follow it. It ends with the page or its dialog. A server that listens on a port is shown to the user, who can open it. A command can connect to it at http://localhost:<port>.
- \`node\`, \`npm\` and \`npx\` are real: packages, scripts, dev servers, test runners, bundlers. Native addons are not loaded (packages with a WebAssembly version work: esbuild-wasm, @rollup/wasm-node; many choose it by themselves). There may be a \`python3\` with its standard library alone. Programs in \`node_modules/.bin\` run by their names.
- \`node_modules\` is not part of the project: it stays in the container, and is restored by \`npm ci\` when the container starts again, if there is a package-lock.json. Keep package.json and package-lock.json right.
- Commands of the shell's own: awk background base32 base64 basename cat chmod cksum cmp column comm cp csplit curl cut date dd df diff dirname du echo egrep env envsubst expand expr fgrep file find fold gawk git grep groups gunzip gzip head hexdump id install join jq kill less ls md5sum mkdir mktemp more mv nice nl nohup nproc numfmt od paste patch printf ps pwd readlink realpath rev rg rm rmdir sed seq sha1sum sha256sum sha384sum sha512sum shuf sleep sort split stat strings sync tac tail tar tee time timeout touch tr tree truncate tsort tty uname unexpand uniq unzip wc wget which whoami xargs xxd yes zcat zip, and bash's own (arrays, functions, here-documents, \`[[ ]]\`, \`$(( ))\`, pipes, globs, process substitution, \`&\` and \`wait\`, \`trap … EXIT\`).
- Not there: ssh, perl, ruby, php, make, compilers, pip, sudo, editors, containers, native programs. Say so instead of claiming that you ran one.
- The network is that of a browser: https, and only servers that allow requests from browsers (CORS); npm's registry works.
- \`git\` works on repositories of the project (\`git init\` makes one; \`vibey/\` is never part of it) and prints what git prints. Not there: blame, worktree, submodule, bisect, interactive modes, \`log --graph\`. There is no editor: give \`commit\` its message with -m or -F.
- Different from Linux: a pipe's left side runs to its end before the right side starts; \`cmd &\` ends with the command at the latest (\`wait\` lets it end); modes, links and empty folders are not kept in the project; dates are UTC.
- What commands change is in the project when the command ends, and every few seconds while one runs in the background. \`vibey/dialog-*\` is read-only: a change there is undone. The other files in \`vibey/\` have names of letters, digits, \`_\`, \`-\` and \`.\`, ending in \`.md\`.
- When a file changes in the container and someone else changes it at the same time, both changes are merged by lines if they don't touch. Otherwise your version is next to it as \`name.conflict-1.ext\`. The result says so.
- When the container ends, as with the page, its processes are gone and files are not. If it isn't available, commands run in a smaller shell, and their output says so.
`;
