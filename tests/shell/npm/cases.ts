/** A project, its registry (in the notation of `packagesOf`), and command lines that run one after the other. */
export interface Case {
  readonly name: string;
  readonly registry: string;
  readonly tags?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly pkg?: object;
  readonly run: readonly string[];
}

const shared = `
  a 1.0.0 b@^1.0.0 c@^2.0.0
  a 1.1.0 b@^1.2.0 c@^2.0.0
  a 2.0.0-rc.1 b@^2.0.0
  b 1.0.0 [bin]
  b 1.2.0 [bin]
  b 2.0.0 [bin]
  c 2.0.0 b@1.0.0
  c 2.1.0 b@1.0.0 d@*
  d 1.0.0
  d 2.0.0
  e 1.0.0 b@^2.0.0 a@^1.0.0
  @s/x 1.0.0 @s/y@^1.0.0
  @s/y 1.0.0
  @s/y 1.5.0
`;

const pkg = (lists: object = {}): object => ({ name: "p", version: "1.0.0", ...lists });

export const cases: readonly Case[] = [
  { name: "one package", registry: shared, pkg: pkg(), run: ["npm install d"] },
  { name: "no package.json", registry: shared, run: ["npm install d"] },
  { name: "hoisted, and nested where versions differ", registry: shared, pkg: pkg(), run: ["npm install a"] },
  { name: "the direct one gets the top", registry: shared, pkg: pkg({ dependencies: { a: "^1", b: "1.0.0" } }), run: ["npm install"] },
  {
    name: "the direct one, added later",
    registry: shared,
    pkg: pkg({ dependencies: { a: "^1" } }),
    run: ["npm install", "npm install b@2"],
  },
  { name: "two majors", registry: shared, pkg: pkg({ dependencies: { a: "1.0.0", e: "*" } }), run: ["npm install"] },
  { name: "scopes", registry: shared, pkg: pkg(), run: ["npm install @s/x", "npm install @s/y@1.0.0", "npm uninstall @s/x"] },
  { name: "an exact version", registry: shared, pkg: pkg(), run: ["npm install -E d@1", "npm install d@1.0.0"] },
  {
    name: "ranges are kept when they are narrower",
    registry: shared,
    pkg: pkg(),
    run: ["npm install 'b@>=1 <1.1'", "npm install 'd@1.x || 2.x'"],
  },
  { name: "a tag", registry: shared, tags: { a: { next: "2.0.0-rc.1" } }, pkg: pkg(), run: ["npm install a@next"] },
  { name: "dev, then prod", registry: shared, pkg: pkg(), run: ["npm install -D d", "npm install d", "npm install --save-prod d"] },
  {
    name: "optional and peer lists",
    registry: shared,
    pkg: pkg({ devDependencies: { b: "1" } }),
    run: ["npm install --save-peer b@1", "npm install --save-peer d"],
  },
  { name: "an alias", registry: shared, pkg: pkg(), run: ["npm install b1@npm:b@1", "npm install b2@npm:b@2 b", "npm uninstall b1"] },
  {
    name: "removed exactly",
    registry: shared,
    pkg: pkg({ dependencies: { a: "*", d: "1" } }),
    run: ["npm install", "npm uninstall a", "npm uninstall nothing"],
  },
  { name: "not saved", registry: shared, pkg: pkg(), run: ["npm install", "npm install --no-save d", "npm install", "npm install b"] },
  { name: "without a lock file", registry: shared, pkg: pkg(), run: ["npm install --no-package-lock a@1.0.0", "npm install d"] },
  {
    name: "ci",
    registry: shared,
    pkg: pkg({ dependencies: { a: "^1" } }),
    run: ["npm install", "npm ci", "npm pkg set dependencies.b=2", "npm ci"],
  },
  { name: "ci without a lock file", registry: shared, pkg: pkg({ dependencies: { a: "^1" } }), run: ["npm ci"] },
  {
    name: "the lock file holds",
    registry: shared,
    pkg: pkg({ dependencies: { b: "1.0.0" } }),
    run: ["npm install", "npm pkg set dependencies.b=^1.0.0", "npm install", "npm update b", "npm install b@^1"],
  },
  {
    name: "update everything",
    registry: shared,
    pkg: pkg({ dependencies: { b: "1.0.0", a: "1.0.0" } }),
    run: ["npm install", "npm pkg set dependencies.b=* dependencies.a=*", "npm install", "npm update"],
  },
  {
    name: "update one that is below",
    registry: shared,
    pkg: pkg({ dependencies: { "@s/x": "1" }, devDependencies: { "@s/y": "1.0.0" } }),
    run: ["npm install", "npm uninstall @s/y", "npm update @s/y"],
  },
  {
    name: "left out",
    registry: shared,
    pkg: pkg({ dependencies: { d: "1" }, devDependencies: { b: "1" } }),
    run: ["npm install", "npm install --omit=dev", "npm install", "npm ci --omit=dev", "npm prune"],
  },
  {
    name: "package.json changed by hand",
    registry: shared,
    pkg: pkg({ dependencies: { a: "1", d: "1" } }),
    run: ["npm install", "npm pkg delete dependencies.a", "npm install"],
  },
  { name: "there is no such package", registry: shared, pkg: pkg(), run: ["npm install nix", "npm install @s/nix"] },
  {
    name: "there is no such version",
    registry: shared,
    pkg: pkg({ dependencies: { a: "^9" } }),
    run: ["npm install", "npm install d@7.0.0"],
  },
  { name: "an optional one that is not there", registry: `${shared}\n f 1.0.0 opt:nix@1 opt:d@1`, pkg: pkg(), run: ["npm install f"] },
  {
    name: "an optional one for another system",
    registry: "f 1.0.0 opt:mac@1 opt:d@1\nmac 1.0.0 [os=darwin] d@2\nd 1.0.0\nd 2.0.0",
    pkg: pkg(),
    run: ["npm install f", "npm ci"],
  },
  { name: "one for another system", registry: "mac 1.0.0 [os=darwin]", pkg: pkg(), run: ["npm install mac"] },
  {
    name: "deprecated",
    registry: "o 1.0.0\no 1.1.0 [deprecated=use p instead]\nq 1.0.0 o@1.1.0",
    pkg: pkg(),
    run: ["npm install o", "npm install q"],
  },
  { name: "engines", registry: "n 1.0.0\nn 2.0.0 [node=>=99]\nm 1.0.0 n@2", pkg: pkg(), run: ["npm install n", "npm install m"] },
  {
    name: "a peer is installed",
    registry: "p1 1.0.0 peer:h@^1\nh 1.0.0\nh 1.5.0\nh 2.0.0",
    pkg: pkg(),
    run: ["npm install p1", "npm uninstall p1"],
  },
  {
    name: "a peer that the project has",
    registry: "p1 1.0.0 peer:h@^1\nh 1.0.0\nh 1.5.0\nh 2.0.0",
    pkg: pkg({ dependencies: { h: "1.0.0" } }),
    run: ["npm install p1"],
  },
  {
    name: "a peer against the project",
    registry: "p1 1.0.0 peer:h@^1\nh 1.0.0\nh 2.0.0",
    pkg: pkg({ dependencies: { h: "2" } }),
    run: ["npm install p1", "npm install p1 --legacy-peer-deps", "npm install p1 --force"],
  },
  {
    name: "peers of two that agree",
    registry: "p1 1.0.0 peer:h@1\np2 1.0.0 peer:h@>=1\nh 1.0.0\nh 2.0.0",
    pkg: pkg({ dependencies: { p1: "*", p2: "*" } }),
    run: ["npm install"],
  },
  {
    name: "peers of two that don't",
    registry: "p1 1.0.0 peer:h@1\np2 1.0.0 peer:h@2\nh 1.0.0\nh 2.0.0",
    pkg: pkg({ dependencies: { p1: "*", p2: "*" } }),
    run: ["npm install"],
  },
  {
    name: "peers below, which may differ",
    registry: "x 1.0.0 p1@1\ny 1.0.0 p2@1\np1 1.0.0 peer:h@1\np2 1.0.0 peer:h@2\nh 1.0.0\nh 2.0.0",
    pkg: pkg({ dependencies: { x: "*", y: "*" } }),
    run: ["npm install"],
  },
  {
    name: "a set of peers like react's",
    registry:
      "react 17.0.0\nreact 18.0.0\ndom 17.0.0 peer:react@17\ndom 18.0.0 peer:react@18\nui 1.0.0 peer:react@>=16 peer:dom@>=16\nold 1.0.0 react@17 dom@17 ui@1",
    pkg: pkg({ dependencies: { react: "18", dom: "18", ui: "1" } }),
    run: ["npm install", "npm install old"],
  },
  {
    name: "a plugin and its host in different versions",
    registry: "lint 8.0.0\nlint 9.0.0\nplug 1.0.0 peer:lint@>=7\ncfg 1.0.0 plug@1 peer:lint@8",
    pkg: pkg({ devDependencies: { lint: "*", cfg: "*" } }),
    run: ["npm install", "npm install lint@8 cfg"],
  },
  {
    name: "an optional peer",
    registry: "p1 1.0.0 peeropt:h@1\nh 1.0.0\nh 2.0.0",
    pkg: pkg(),
    run: ["npm install p1", "npm install h@2", "npm install h@1"],
  },
  {
    name: "a peer of a peer",
    registry: "p1 1.0.0 peer:p2@1\np2 1.0.0 peer:p3@1 d@1\np3 1.0.0\np3 1.1.0\nd 1.0.0",
    pkg: pkg({ dependencies: { p3: "1.0.0" } }),
    run: ["npm install -D p1", "npm uninstall p3"],
  },
  { name: "a circle", registry: "u 1.0.0 v@1\nv 1.0.0 w@1\nw 1.0.0 u@1", pkg: pkg(), run: ["npm install u", "npm uninstall u"] },
  { name: "a circle of other versions", registry: "u 1.0.0 v@1\nv 1.0.0 u@0\nu 0.5.0 v@0\nv 0.1.0", pkg: pkg(), run: ["npm install u@1"] },
  { name: "an override", registry: shared, pkg: pkg({ dependencies: { a: "1.0.0" }, overrides: { b: "2.0.0" } }), run: ["npm install"] },
  {
    name: "an override below one package",
    registry: shared,
    pkg: pkg({ dependencies: { a: "1.1.0", e: "1" }, overrides: { c: { b: "1.2.0" } } }),
    run: ["npm install"],
  },
  {
    name: "an override of some versions",
    registry: shared,
    pkg: pkg({ dependencies: { a: "1.1.0", e: "1" }, overrides: { "b@^1": "1.0.0" } }),
    run: ["npm install"],
  },
  {
    name: "an override that refers",
    registry: shared,
    pkg: pkg({ dependencies: { e: "1", b: "1.0.0" }, overrides: { b: "$b" } }),
    run: ["npm install"],
  },
  {
    name: "an override against the project",
    registry: shared,
    pkg: pkg({ dependencies: { b: "1.0.0" }, overrides: { b: "2.0.0" } }),
    run: ["npm install"],
  },
  {
    name: "prefer-dedupe",
    registry: shared,
    pkg: pkg({ dependencies: { c: "2.0.0" } }),
    run: ["npm install", "npm install --prefer-dedupe a@1.0.0"],
  },
  {
    name: "a newer one takes the top",
    registry: "k 1.0.0 z@1\nl 1.0.0 z@>=1\nz 1.0.0\nz 2.0.0",
    pkg: pkg({ dependencies: { k: "*", l: "*" } }),
    run: ["npm install", "npm uninstall k"],
  },
  { name: "bundled", registry: "t 1.0.0 [bundle=i] i@1\ni 1.0.0", pkg: pkg(), run: ["npm install t"] },
  {
    name: "names by their letters",
    registry: "Zed 1.0.0\nabc 1.0.0\na-b 1.0.0\na_b 1.0.0\n@q/a 1.0.0",
    pkg: pkg({ dependencies: { Zed: "1", abc: "1", "a-b": "1", a_b: "1", "@q/a": "1" } }),
    run: ["npm install", "npm install abc"],
  },
  { name: "install scripts", registry: "s 1.0.0 [scripts] d@1\nd 1.0.0", pkg: pkg(), run: ["npm install --ignore-scripts s"] },
  { name: "bad names", registry: shared, pkg: pkg(), run: ["npm install 'a b'", "npm install d@!!"] },
  {
    name: "outdated",
    registry: shared,
    pkg: pkg({ dependencies: { b: "1.0.0" }, devDependencies: { d: "1" } }),
    run: ["npm install", "npm outdated", "npm pkg set dependencies.a=1", "npm outdated"],
  },
  {
    name: "ls",
    registry: shared,
    pkg: pkg({ dependencies: { a: "1", e: "1" }, optionalDependencies: { d: "1" } }),
    run: [
      "npm ls",
      "npm install",
      "npm ls",
      "npm ls --all",
      "npm ls b",
      "npm ls --depth=1",
      "npm ls nothing",
      "npm install --no-save '@s/x'",
      "npm ls",
    ],
  },
  {
    name: "ls json",
    registry: shared,
    pkg: pkg({ dependencies: { a: "1" } }),
    run: ["npm install", "npm ls --json", "npm ls --all --json", "npm ls --parseable"],
  },
  {
    name: "scripts",
    registry: shared,
    pkg: pkg({
      scripts: {
        pretest: "echo before",
        test: "echo test",
        posttest: "echo after",
        fails: "exit 3",
        build: "echo $npm_package_name $npm_lifecycle_event $npm_package_version",
      },
    }),
    run: [
      "npm test",
      "npm run build",
      "npm run fails",
      "npm run",
      "npm run buidl",
      "npm start",
      "npm run nothing --if-present",
      "npm t -- a 'b c'",
      "npm run -s build",
      "npm run test --silent x",
    ],
  },
  {
    name: "scripts of workspaces",
    registry: shared,
    pkg: pkg({ workspaces: ["packages/{a,b,c}", "lib/*", "!packages/c"], scripts: { build: "echo root" } }),
    run: [
      "mkdir -p packages/a packages/b packages/c lib/x/in lib/no",
      `echo '{"name":"@m/a","version":"1.0.0","scripts":{"build":"echo a","fail":"exit 3"}}' > packages/a/package.json`,
      `echo '{"name":"b","version":"2.0.0","scripts":{"prebuild":"pwd","build":"echo b","test":"echo t"}}' > packages/b/package.json`,
      `echo '{"name":"c","scripts":{"build":"echo c"}}' > packages/c/package.json`,
      `echo '{"name":"x","version":"0.1.0","scripts":{"build":"false"}}' > lib/x/package.json`,
      "npm run build -w @m/a",
      "npm run build --workspace=packages/b -w ./packages/a",
      "npm run build -ws",
      "npm run build --workspaces --include-workspace-root -- y 'z z'",
      "npm test -ws --if-present",
      "npm run fail -ws",
      "npm run fail -s -w b -w @m/a",
      "npm run build -w c",
      "npm run -ws",
      "(cd packages/b && npm run build -w @m/a)",
      "npm run",
    ],
  },
  {
    name: "pkg",
    registry: shared,
    pkg: pkg({ keywords: ["x"] }),
    run: [
      "npm pkg get",
      "npm pkg get name",
      "npm pkg get name version",
      "npm pkg set private=true config.x=3 --json",
      "npm pkg set 'scripts.test=uvu tests' type=module",
      "npm pkg get scripts",
      "npm pkg delete keywords",
      "npm pkg get keywords",
      "cat package.json",
    ],
  },
  {
    name: "lists and keys in brackets",
    registry: shared,
    pkg: pkg({ keywords: ["x"] }),
    run: [
      "npm pkg set 'keywords[]=a' 'keywords[]=b'",
      "npm pkg set 'files[]=dist'",
      "npm pkg set 'contributors[].name=Ada' 'contributors[0].email=ada@example.org' 'keywords[1]=c'",
      "npm pkg set 'exports[.].import=./i.mjs' 'exports[./package.json]=./package.json'",
      "npm pkg get 'exports[.].import' 'keywords[0]'",
      "npm pkg set 'scripts.test=x' 'scripts[]=y'",
      "npm pkg delete 'keywords[0]' 'exports[.]'",
      "cat package.json",
    ],
  },
  {
    name: "version",
    registry: shared,
    pkg: pkg(),
    run: ["npm version patch", "npm version 3.0.0", "npm version 3.0.0", "npm version nonsense", "cat package.json"],
  },
  {
    name: "view",
    registry: shared,
    pkg: pkg(),
    run: [
      "npm view b version",
      "npm view b versions",
      "npm view b@1 version",
      "npm view a dependencies",
      "npm view a dependencies.b",
      "npm view b dist-tags",
      "npm view b version license",
      "npm view nix",
      "npm view b@9 version",
      "npm view b versions --json",
      "npm view b nothing",
    ],
  },
  {
    name: "small ones",
    registry: shared,
    pkg: pkg(),
    run: ["npm root", "npm prefix", "npm nonsense", "npm config get registry", "npm get registry"],
  },
  { name: "init", registry: shared, run: ["npm init -y", "cat package.json", "npm init -y"] },
];
