import type { NodeEngine } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import { instead, toldCommands } from "./commands/catalog.ts";
import { gitNames } from "./git/commands/names.ts";
import { projectFolder } from "./protocol.ts";

/** The facts about `node` on each engine. */
const nodeLines: Readonly<Record<NodeEngine, string>> = {
  quickjs: `- \`node\` runs JavaScript and TypeScript on QuickJS with Node 20's modules: ESM, CommonJS, top-level await, \`fs\`, \`node:test\` (\`node --test\`), \`assert\`, async \`child_process\`, \`fetch\`, \`http\`, \`net\`. About ten times slower than Node; 512 MB; about a thousand nested calls. Not there: worker threads, \`execSync\`, native addons; they throw and say so.`,
  browser: `- \`node\` runs JavaScript and TypeScript on the browser's own engine with Node 20's modules: ESM, CommonJS, top-level await, \`fs\`, \`node:test\` (\`node --test\`), \`assert\`, async \`child_process\`, \`fork\`, worker threads, \`fetch\`, \`http\`, \`net\`, \`vm\`, WebAssembly. Code runs about as fast as in Node; a start takes longer where many packages are installed. It follows the browser's time zone. No limit of memory is enforced: a program that takes too much is ended, in some browsers with the whole tab, so keep data small. \`esbuild\`, \`rollup\` and vite up to version 7 run, as does \`npx vite --port 5173\` with \`background: true\`; vite 8 and rolldown do not (install vite@7). vitest (\`npm install -D vitest vite@7\`), jest, mocha, \`ts-node\`, eslint, webpack 5 and jsdom run; coverage is istanbul's. Not there: \`execSync\`, native addons; they throw and say so.`,
};

/**
 * What the model is told about the built-in shell. The lists are the shell's own tables; a test compares them with the shell. The text is byte-stable
 * for each engine of `node`, because it is part of the prompt that providers cache.
 */
export const aboutEmbedded: Readonly<Record<NodeEngine, string>> = {
  quickjs: aboutWith(nodeLines.quickjs),
  browser: aboutWith(nodeLines.browser),
};

function aboutWith(node: string): string {
  return `## The shell

run_command runs bash in the browser: just-bash, an interpreter with its own commands over the project's files. It isn't a Linux machine.

- The project is at \`${projectFolder}\`, the first working directory. \`cd\` and \`export\` are kept from one command to the next; other variables, functions, aliases and \`set\` are not. \`/tmp\` is there and is not kept.
- Limits: ${limits.commandMs / 1000} s per command, unless the user set another time; ${limits.commandOutputBytes / 1_000_000} MB each of stdout and stderr (the middle is cut); the shell's variables can take 256 MB. A result names the limit that stopped it.
- With \`background: true\` a command keeps running on its own for up to ${limits.backgroundMs / 60_000} minutes, two at a time in the project; \`background\`, \`background read|wait|stop <id>\` follow it. It ends with the page or its dialog.
- Commands: ${toldCommands.join(" ")}, and bash's own (arrays, functions, here-documents, \`[[ ]]\`, \`$(( ))\`, pipes, globs, process substitution, \`&\` and \`wait\`, \`trap … EXIT\`).
- Not there (they answer "command not found" and say this): ${instead.map(([names, why]) => `${names.split(" ").join(", ")}: ${why}`).join(". ")}. You can't run native programs. Say so instead of claiming that you ran one.
- The network is off until the user allows a host in this dialog. A command that needs one waits for the answer, and its time limit is paused. A blocked host stays blocked. Use final addresses: a redirect to a host that isn't allowed fails. Only servers that allow requests from browsers (CORS) can be read, over https.
${node}
- A server of this dialog (\`node server.js &\`, \`python3 -m http.server &\`, or with \`background: true\` for several commands) is reached by its other commands at \`http://localhost:<port>\`, and by no one else. It ends with its command. The user can open the page of one in the preview, without WebSockets and cookies. With \`&\` it sees what its command changes; with \`background: true\` it sees what all commands, agents and the user change. Handlers of signals run (\`process.on("SIGTERM", …)\`).
- \`npm\` and \`npx\` install from the registry (the user is asked about the host) as npm does, with a lock file, scripts and bins; install scripts and native code don't run; warnings name them. npm run and npm test take -w and --workspaces. Not there: -g, installing workspaces, git and folder packages.
- \`python3\` is Python 3.14 with its standard library; the first call takes a few seconds. \`pip install\` (the user is asked about the hosts) puts packages of pure Python into \`.venv\`, which \`python3\` always looks into; compiled packages (numpy, pandas, lxml), source archives, \`-e .\` and other machines' wheels are refused. \`pytest\` runs once installed. \`subprocess\`, \`os.system\` and asyncio's processes run commands of this shell (in a browser that lets Python wait, as Chrome and Edge do; elsewhere they fail and say so). So do sockets, \`python3 -m http.server\`, \`urllib\` and asyncio's servers, for \`localhost\` only. No threads or multiprocessing. \`sqlite3\` is SQLite with its usual modes and dot-commands.
- \`git\` works on repositories of the project (\`git init\` makes one; \`vibey/\` is never part of it) and prints what git prints: ${gitNames.join(" ")}. Not there: submodules, hooks, \`add -i\`; they say so. \`add -p\` and its kind take their answers from standard input; \`rebase -i\` and \`commit\` without -m need an editor that is a command, such as \`GIT_SEQUENCE_EDITOR="sed -i 2s/pick/fixup/"\`. Folders, bare ones included, can be cloned, fetched and pushed to; other repositories are available over https only, from hosts that allow requests from browsers (GitHub doesn't for git; single files are at raw.githubusercontent.com), with credentials only as \`git -c http.extraHeader='Authorization: …'\` or the address give them.
- \`curl\` and \`wget\` ask through the browser: no cookies, no proxies, the browser's own User-Agent and certificates; anything else fails.
- Different from Linux: \`sort\` compares bytes; a pipe's left side runs to its end before the right side starts; \`cmd &\` ends with the command at the latest (\`wait\` lets it end); \`trap\` knows EXIT, ERR and signals, and not DEBUG and RETURN; \`chmod\` is not kept (a file that starts with \`#!\` can be run); links can't be made; empty folders are not kept; \`seq\` prints 64 MB at most and \`yes\` 1 MB; functions can be nested 500 calls deep; \`/dev/urandom\` and \`/dev/zero\` give a megabyte (use \`head -c N\`); users, processes and the machine's name are made up; dates are UTC; \`TZ\` changes that of the shell's own commands only.
- \`vibey/dialog-*\` is read-only. The other files in \`vibey/\` have names of letters, digits, \`_\`, \`-\` and \`.\`, ending in \`.md\`.
- When your command and someone else change a file at the same time, both changes are merged by lines if they don't touch. Otherwise your version is next to it as \`name.conflict-1.ext\`. The result says so.
- When a turn ends, its changes are in the project's history, which commands can't see. The user can undo them. \`.git/\` and \`node_modules/\` are not in it.
`;
}
