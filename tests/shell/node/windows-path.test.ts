import { win32 as real } from "node:path";
import { expect, test } from "vitest";

const inside = new URL("../../../src/shell/embedded/node/inside/windows-path.js", import.meta.url).href;

const paths =
  "|.|..|a|a/b.txt|C:|C:\\|C:a\\..|c:/x/../y//z.tar.gz|\\|/a/|\\\\srv\\share|//srv/share/a/b/|\\\\.\\x\\y|.x|f.|..\\..\\q|D:\\k\\".split(
    "|",
  );

test("paths of Windows are those of Node", async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the module runs in the sandbox's `node` and has no types.
  const { windowsPath } = (await import(inside)) as { readonly windowsPath: (cwd: () => string) => typeof real };
  const all = (of: typeof real): unknown =>
    paths.map((path) => [
      [of.normalize(path), of.dirname(path), of.basename(path), of.basename(path, "txt"), of.extname(path), of.isAbsolute(path)],
      [of.parse(path), of.format(real.parse(path)), of.toNamespacedPath(path)],
      paths.map((other) => [of.join(path, other), of.resolve(path, other), of.relative(path, other)]),
    ]);
  expect(all(windowsPath(() => process.cwd()))).toEqual(all(real));
});
