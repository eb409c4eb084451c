import { limits } from "../../limits.ts";
import { projectFolder } from "./protocol.ts";

/**
 * What the model is told about the embedded shell. Its lists of commands are tested against the shell. Byte-stable, because it is part of the prompt
 * that providers cache.
 */
export const aboutEmbedded = `## The shell

run_command runs bash in the browser: just-bash, an interpreter with its own commands over the project's files. It is no Linux machine.

- The project is at \`${projectFolder}\`, the first working directory. \`cd\` is kept from one command to the next; variables, functions and \`export\` are not. \`/tmp\` is there and is not kept.
- Limits: ${limits.commandMs / 1000} s a command, ${limits.commandOutputBytes / 1_000_000} MB each of stdout and stderr (the middle is cut).
- Commands: awk base64 basename cat chmod column comm cp cut date diff dirname du echo egrep env expand expr fgrep file find fold grep head join jq ls md5sum mkdir mv nl od paste printf pwd readlink rev rg rm rmdir sed seq sha1sum sha256sum sleep sort split stat strings tac tail tee time timeout touch tr tree unexpand uniq wc which xargs, and bash's own (arrays, functions, here-documents, \`[[ ]]\`, \`$(( ))\`, pipes, globs, process substitution).
- Not there: network (no curl, wget, ssh), node, npm, python, git, tar, zip, gzip, make, compilers, package managers, mktemp, realpath, yes, ps. They answer "command not found". Programs other than shell scripts can't be run here; say so instead of claiming that you ran one.
- Different from Linux: \`chmod\` is not kept (a file that starts with \`#!\` can be run); links can't be made; empty folders are not kept; \`cmd &\` runs to its end before the next command; \`printf '\\xff'\` writes UTF-8, not that byte; \`seq\`, \`sed\` and \`jq\` stop after a million steps; \`hostname\` and \`whoami\` are made up; dates are UTC.
- \`vibey/dialog-*\` can be read and not written. The other files in \`vibey/\` have names of letters, digits, \`_\`, \`-\` and \`.\`, ending in \`.md\`.
- When somebody else changed a file while your command ran, your version is put next to it as \`name.conflict-1.ext\`, and the result says so.
`;
