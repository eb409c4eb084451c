import { beforeAll, describe, expect, test } from "vitest";
import { loopbackWorker } from "./loopback.ts";
import { project, type TestProject } from "./project.ts";

let shell: TestProject;
beforeAll(async () => {
  shell = await project({ createWorker: loopbackWorker, contents: {} });
});

describe("what perl does not do here is refused before a file changes", () => {
  test.each([
    ["a pattern that is reached late", "perl -pi -e 's/a/b/; s/x++/y/ if /z/' f g"],
    ["a format that is reached late", "perl -pi -e '$_ = sprintf(\"%1\\$s\", $_) if /z/' f g"],
    ["a loop of its own with -i", "perl -i -e 'while (<>) { s/a/b/; print }' f g"],
    ["lines that end otherwise", "perl -pi -e 'BEGIN { $/ = \"\" } s/a/b/' f g"],
    ["variables of one name", "perl -pi -e 'my $x = 1; if (/a/) { my $x = 2; } s/a/$x/' f g"],
    ["an option of a pattern", "perl -pi -e 's/(a)/b/n' f g"],
    ["a character that is no byte", "perl -pi -e 's/z/\\x{263a}/' f g"],
    ["text that is none", "perl -CSD -pi -e 's/a/b/' f g h"],
  ])("%s", async (_, command) => {
    const { stdout, stderr } = await shell.run(
      `printf 'a\\n' > f; printf 'a\\nz\\n' > g; printf 'a\\377\\n' > h; ${command}; echo $?; cat f g; cat h | od -An -tx1`,
    );
    expect(stderr).toContain("is not supported here");
    expect(stdout).toBe("2\na\na\nz\n 61 ff 0a\n");
  });
});

// The behavior of Perl 5.36.
describe("perl does the same as Perl", () => {
  test.each([
    ["\\1 in a replacement", "perl -pe 's/(foo)/\\1bar/' <<< foo", "foobar\n"],
    ["bytes that are no blanks", "perl -pe 's/\\s+$/\\n/' <<< voilà", "voilà\n"],
    ["bytes that are no letters", "perl -pe '$_ = lc' <<< 'É DÉJÀ'", "É dÉjÀ\n"],
    ["the last with \\K", "perl -pe 's/.*\\Kfoo/bar/' <<< 'foo foo x'", "foo bar x\n"],
    ["what \\K keeps is not matched again", "perl -pe 's/a\\Ka/x/g' <<< aaaa", "axax\n"],
    ["ends of lines of Windows", "printf 'foo\\r\\n' | perl -pe 's/o.*/X/'", "fX\n"],
    ["a dash in tr", "perl -pe 'tr/a\\-z/_/' <<< 'a-z b'", "___ b\n"],
    ["my in a loop", "printf '1\\n2\\n' | perl -ne 'my $c; $c++; print $c'", "11"],
    ["END after exit", "printf '1\\n2\\n3\\n' | perl -ne '$n++; exit if /2/; END { print $n }'", "2"],
    ["}{ with -p", "printf '1\\n2\\n' | perl -pe '}{ $_ = $.'", "2"],
    ["a variable in for", 'perl -e \'$x = "  a "; for ($x) { s/^\\s+//; s/\\s+$// } print "[$x]"\'', "[a]"],
    ["each value of a loop from its start", 'perl -e \'for ("xa", "xb") { print "m" if /x/g }\'', "mm"],
    ["rounding", "perl -e 'printf \"%.0f %.2f %g %g\", 2.5, 0.125, 1e-5, 1e20'", "2 0.12 1e-05 1e+20"],
    ["die leaves the file", "echo a > f; perl -pi -e 's/a/b/; die \"x\\n\"' f 2> /dev/null; cat f", "a\n"],
    ["exit leaves what was read", "printf 'a\\na\\n' > f; perl -pi -e 's/a/b/; exit' f; cat f", ""],
    ["more values than a call takes arguments", `perl -e 'push @a, split(//, "x" x 200000); unshift @a, @a; print scalar(@a)'`, "400000"],
    ["letters of text", "perl -Mutf8 -CSD -pe 's/\\bé/X/' <<< 'cé éa'", "cé Xa\n"],
  ])("%s", async (_, command, expected) => {
    expect((await shell.run(command)).stdout).toBe(expected);
  });
});
