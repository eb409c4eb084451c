import { describe, expect, test } from "vitest";
import { isMarkerTrue } from "../../../src/shell/embedded/pip/marker.ts";
import { parseMetadata } from "../../../src/shell/embedded/pip/metadata.ts";
import { parseRequirement } from "../../../src/shell/embedded/pip/requirement.ts";
import { isPureWheel, parseWheelName } from "../../../src/shell/embedded/pip/wheel-name.ts";

describe("a requirement", () => {
  test.each([
    ["requests", "requests", "", "", null],
    ["Requests_OAuth.lib", "requests-oauth-lib", "", "", null],
    [" requests >= 2.8 , < 3 ", "requests", "", ">=2.8,<3", null],
    ["requests (>=2.8)", "requests", "", ">=2.8", null],
    ["requests[socks, Use_Chardet]==2.*", "requests", "socks,use-chardet", "==2.*", null],
    ["a~=1.4; python_version < '4'", "a", "", "~=1.4", "python_version < '4'"],
    ["a ;os_name=='nt'", "a", "", "", "os_name=='nt'"],
  ])("%j", (text, name, extras, versions, marker) => {
    const found = parseRequirement(text);
    expect([found.name, found.extras.join(), found.versions, found.marker]).toEqual([name, extras, versions, marker]);
  });

  test.each([
    ["", "Invalid requirement"],
    ["-x", "Invalid requirement"],
    ["a=1", "Invalid requirement"],
    ["a>=", "Invalid requirement"],
    ["a @ https://b.c/a", "a package from an address"],
    ["./here", "only packages of the index"],
    ["https://b.c/a.tar.gz", "only packages of the index"],
    ["git+https://b.c/a", "only packages of the index"],
    ["dist/a-1-py3-none-any.whl", "only packages of the index"],
  ])("%j is refused", (text, why) => {
    expect(() => parseRequirement(text)).toThrow(why);
  });
});

describe("a marker", () => {
  test.each<[marker: string, extras: string, holds: boolean]>([
    ['python_version >= "3.8"', "", true],
    ['python_version < "3.10"', "", false],
    ["python_full_version == '3.14.*'", "", true],
    ['"3.9" <= python_version', "", true],
    ['python_version >= "3.8.*"', "", true],
    ['python_version < "3.8.*"', "", false],
    ['sys_platform == "win32"', "", false],
    ['sys_platform != "win32" and os_name == "posix"', "", true],
    ['sys_platform == "win32" or (os_name == "posix" and python_version > "3")', "", true],
    ['platform_system in "Linux, Emscripten"', "", true],
    ["platform_system not in 'Linux'", "", true],
    ['extra == "test"', "", false],
    ['extra == "Test_All"', "docs,test-all", true],
    ['python_version < "3" and extra == "test"', "test", false],
  ])("%s (extras: %s)", (marker, extras, holds) => {
    expect(isMarkerTrue(marker, extras === "" ? [] : extras.split(","))).toBe(holds);
  });

  test.each([
    "",
    "python_version",
    "python_version >= 3",
    "a == 'b'",
    "os_name == 'posix' and",
    "(os_name == 'posix'",
    "os_name == 'posix' 'x'",
  ])("%j is none", (marker) => {
    expect(() => isMarkerTrue(marker, [])).toThrow("Invalid marker");
  });
});

test.each([
  ["a-1.0-py3-none-any.whl", true],
  ["a_b-1.0-py2.py3-none-any.whl", true],
  ["a-1.0-1-py3-none-any.whl", true],
  ["a-1.0-py314-none-any.whl", true],
  ["a-1.0-py315-none-any.whl", false],
  ["a-1.0-py2-none-any.whl", false],
  ["a-1.0-cp314-cp314-manylinux_2_17_x86_64.whl", false],
  ["a-1.0-cp314-cp314-pyodide_2026_0_wasm32.whl", false],
])("%s is pure Python for us: %s", (filename, isPure) => {
  const name = parseWheelName(filename);
  expect(name !== null && isPureWheel(name)).toBe(isPure);
});

test.each(["a.tar.gz", "a-1.0.whl", "a-x!y-py3-none-any.whl", ".whl"])("%s is no wheel", (filename) => {
  expect(parseWheelName(filename)).toBeNull();
});

test("METADATA is read up to its text, with what continues on further lines", () => {
  const text =
    "Name: A\r\nVersion: 1\r\nLicense: MIT\r\n        and more\r\nRequires-Dist: b\r\nRequires-Dist: c>1\r\nProject-URL: Homepage, https://a.b\r\n\r\nRequires-Dist: d\r\n";
  expect(parseMetadata(text, "it")).toMatchObject({
    name: "A",
    version: "1",
    license: "MIT",
    homePage: "https://a.b",
    requires: ["b", "c>1"],
  });
  expect(() => parseMetadata("Name: A\n\nVersion: 1\n", "it")).toThrow("it has no METADATA with a name and a version");
});
