import { expect, test } from "vitest";
import { loopbackWorker } from "./loopback.ts";
import { project } from "./project.ts";

/** bash's output. */
const rows: readonly (readonly [command: string, stdout: string])[] = [
  [`set -u; echo "\${X:-b}" "\${X-c}" "\${X:+d}" "\${X:=e}" "$X"`, "b c  e e\n"],
  [`set -u; mkdir -p "\${OUT:-dist}"; ls -d dist; [ "\${CI:-}" = true ] || echo no`, "dist\nno\n"],
  [`set -u; for t in "\${1:-all}"; do echo $t; done; a=("\${X:-d e}"); echo "\${a[0]}" \${#a[@]}`, "all\nd e 1\n"],
  [`set -u; "\${PRINT:-echo}" x; f() { echo "$#:\${1:-none}"; }; f "\${A:-}" "\${B-}"`, "x\n2:none\n"],
  [`f() { echo $#; }; f "\${@:-}"; set -- "a b" c; f "\${1+"$@"}"`, "1\n2\n"],
  [`a=(1 2); f() { echo $#; }; f "\${a[@]:-x}"; f "\${b[@]:-x}"; f "\${a[0]:-x}"`, "2\n1\n1\n"],
  [`set -u; case "\${X:-b}" in b) echo yes;; esac; cat <<< "\${X:-in}"; echo hi > "\${X:-o.txt}"; cat o.txt`, "yes\nin\nhi\n"],
  [`set -u; echo "$nope"; echo never`, ""],
  [`f() { local -A o=([name]="x y" [n]=2); echo "\${o[name]}:\${#o[@]}"; }; f; echo "\${o[name]:-gone}"`, "x y:2\ngone\n"],
  [`f() { local -rA o=([a]=1); echo "\${o[a]}"; }; f; readonly -A r=([k]=v); echo "\${r[k]}"; r[k]=w; echo "\${r[k]}"`, "1\nv\n"],
  [`f() { local -A m; m[k]=v; echo "\${m[k]}"; }; f; local_a() { local -a l=(1 2); echo "\${l[1]}"; }; local_a`, "v\n2\n"],
  [
    `v="x  y"; declare -A m=([a]="$v" ["b c"]='z  w' [d]=$v); for k in a "b c" d; do echo "\${m[$k]}"; done; echo \${#m[@]}`,
    "x  y\nz  w\nx  y\n3\n",
  ],
  [
    `declare -A m=(\n  [a]="1 2"\n  [b]="3 4"\n) n; echo "\${m[b]}"; declare -gA q=([x]="a b"); echo "\${q[x]}"; m+=([c]="5 6"); echo "\${m[c]}"`,
    "3 4\na b\n5 6\n",
  ],
  [
    `f() { declare -A m=([a]="in  side"); echo "\${m[a]}"; }; f; echo "\${m[a]:-gone}"; declare -rA r=([k]="v w"); echo "\${r[k]}"; (r[k]=x) 2> /dev/null || echo no`,
    "in  side\ngone\nv w\nno\n",
  ],
  [`x=k; declare -A m=([$x]=1 ["$x y"]=2 [\${x}z]=3); for k in k "k y" kz; do echo "\${m[$k]}"; done`, "1\n2\n3\n"],
  [`declare -A m=(a 1 b "2 3"); echo "\${m[b]}"`, "2 3\n"],
  [`a=5x; echo $(( \${a%x} )); m() { echo $(( \${1%px} + 1 )); }; m 3px; (x=4px; echo $(( \${x%px} )))`, "5\n4\n4\n"],
  [`set -eu; x=\${v:+$(( \${v%px} * 2 ))}; echo "[$x]"`, "[]\n"],
  [`set -u; [[ $# -gt 0 && $(( \${1%%x*} )) -gt 1 ]] || echo none`, "none\n"],
];

test("a default in quotes is one word, also under `set -u`, and local maps are maps", async () => {
  const { run, sandbox } = await project({ createWorker: loopbackWorker });
  const printed: (readonly [string, string])[] = [];
  for (const [session, [command]] of rows.entries()) printed.push([command, (await run(command, { session: String(session) })).stdout]);
  expect(printed).toEqual(rows);
  sandbox.dispose();
});
