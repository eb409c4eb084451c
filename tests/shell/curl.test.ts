import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NetRequest } from "../../src/shell/network.ts";
import { ours, real, testHost } from "./net/machine.ts";
import { serve, standInFetch, tellRequest, type TestServer } from "./net/server.ts";

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

let server: TestServer;
beforeAll(async () => {
  server = await serve(tellRequest);
});
afterAll(() => server.close());

/** Normalizes header lines: a browser keeps neither their order nor their case. */
const headers = "tr -d '\\r' | tr A-Z a-z | grep -v '^connection\\|^keep-alive\\|^transfer-encoding\\|^content-length' | sort";

const lines: readonly string[] = [
  "curl -s $U/echo",
  "curl -sS $U/echo?a=b",
  "curl $U/echo -s -X DELETE",
  "curl -sX PUT $U/echo -d x",
  "curl -s $U/echo -d a=1 -d b=2",
  "curl -s $U/echo --data-raw @notafile",
  "printf 'one\\r\\ntwo\\n' > f; curl -s $U/echo -d @f",
  "printf 'one\\r\\ntwo\\n' > f; curl -s $U/echo --data-binary @f",
  "echo piped | curl -s $U/echo -d @-",
  "curl -s $U/echo --data-urlencode 'q=a b&ü' --data-urlencode '=x y' --data-urlencode 'plain text'",
  "printf 'a b' > f; curl -s $U/echo --data-urlencode 'q@f' --data-urlencode @f",
  "curl -sG $U/echo -d a=1 --data-urlencode 'b=c d'",
  "curl -sG '$U/echo?x=1' -d a=1 | head -c0; curl -sG \"$U/echo?x=1\" -d a=1",
  "curl -s $U/echo --json '{\"a\":1}'",
  "curl -s $U/echo -H 'Content-Type: application/json' -d '{}'",
  "curl -s $U/echo -H 'X-One: 1' -H 'X-Two:2'",
  "curl -s $U/echo -H 'X-One;' -H 'Accept: text/plain'",
  "printf 'X-One: from file\\nX-Two: too\\n' > h; curl -s $U/echo -H @h",
  "curl -s -u me:secret $U/echo",
  "curl -s ${U/:\\/\\//://me:secret@}/echo",
  "curl -s --oauth2-bearer tok $U/echo",
  "curl -s -r 0-9 $U/echo",
  "curl -s $U/echo -F a=1 -F 'b=two words'",
  "echo content > f.txt; curl -s $U/echo -F 'file=@f.txt' -F 'other=@f.txt;type=text/x;filename=\"n.x\"'",
  "echo content > f; curl -s $U/echo -F 'text=<f' --form-string 'raw=@f'",
  "echo up > f; curl -s -T f $U/echo",
  "echo up > f; curl -s -T f $U/dir/",
  "echo up | curl -s -T - $U/echo",
  "curl -sf $U/status/404; echo $?",
  "curl -s $U/status/404; echo $?",
  "curl -s --fail-with-body $U/status/500; echo $?",
  "curl -sSf $U/status/503 2>&1; echo $?",
  "curl -s -o out.json $U/echo; cat out.json",
  "curl -sO $U/status/200; ls",
  "curl -s --create-dirs -o a/b/c $U/echo; find . -type f",
  "curl -s -o no/such/dir $U/echo; echo $?",
  "mkdir d; curl -s --output-dir d -O $U/status/201; ls d",
  "curl -sOJ $U/named; ls",
  "curl -s -o /dev/null -w '%{http_code}' $U/status/418",
  "curl -s -o /dev/null -w '%{http_code} %{size_download} %{content_type}\\n' $U/echo",
  "curl -s -o /dev/null -w '%{url_effective}|%{method}|%{scheme}|%{num_redirects}|%{response_code}\\t%%\\n' $U/echo -d x",
  "curl -sf -o out -w '%{exitcode} %{http_code}\\n' $U/status/404; ls",
  "curl -s -w '%header{x-kind}\\n' $U/status/200",
  "curl -s $U/redirect/302; echo $?",
  "curl -s -o /dev/null -w '%{redirect_url}' $U/redirect/301",
  "curl -sL $U/redirect/302",
  "curl -sL $U/redirect/303 -d x",
  "curl -sL -o /dev/null -w '%{url_effective} %{http_code}' $U/redirect/307",
  `curl -sI $U/status/200 | ${headers}`,
  `curl -si $U/status/200 | ${headers}`,
  `curl -s -D head -o body $U/status/200; cat head | ${headers}; cat body; rm head`,
  `curl -s -D - -o /dev/null $U/status/404 | ${headers}`,
  "curl -s $U/bytes | base64",
  "curl -s $U/bytes -o b; wc -c < b",
  'curl -s "$U/status/{200,404}"',
  'curl -s "$U/status/[200-202]"',
  "curl -s \"$U/x/[01-03:2]/{a,b}\" -o 'f#1#2'; ls",
  'curl -sg "$U/echo?q={a,b}"',
  "curl -s $U/status/200 $U/status/201 -o first; cat first",
  "curl -s --url $U/status/200 --url $U/status/404; echo $?",
  "curl -s -m 0.2 $U/never; echo $?",
  "curl -s http://127.0.0.1:1/; echo $?",
  "curl -s 'http://bad host/'; echo $?",
  "curl 2>/dev/null; echo $?",
  "curl --frobnicate $U 2>&1; echo $?",
  "curl -s $U/echo -d 2>&1; echo $?",
  "curl -s gopherx://here 2>&1; echo $?",
  "curl -sS gopherx://here 2>&1; echo $?",
  "curl -s $U/echo -T nofile; echo $?",
  'curl -s "$U/[1-x]" ; echo $?',
  'curl -sS "$U/{a" 2>/dev/null; echo $?',
  "curl -s --proto =https $U/echo; echo $?",
  "curl -sZ --compressed -4 --http1.1 --connect-timeout 5 -N $U/status/200",
  "curl -s --retry 2 --retry-delay 0 --retry-max-time 1 $U/status/404; echo $?",
  "curl -s $U/status/200 -K nothing; [ $? -ne 0 ] && echo refused",
  "curl -sSL $U/status/200 | grep -c status",
  "curl -fsSL $U/status/200 | bash -c 'cat'",
  "x=$(curl -s -o /dev/null -w '%{http_code}' $U/status/500); [ \"$x\" = 500 ] && echo it is",
];

describe.skipIf(!has("curl"))("curl does what curl does (skipped where it is not installed)", () => {
  test.for(lines)("%s", async (line) => {
    const env = { U: server.url };
    const [mine, wanted] = await Promise.all([ours(line, env, testHost(standInFetch)), real(line, env)]);
    const { stderr: _mine, ...told } = mine;
    const { stderr: _wanted, ...theirs } = wanted;
    expect(told).toEqual(theirs);
  });
});

describe.skipIf(!has("wget"))("wget does what wget does (skipped where it is not installed)", () => {
  test.for([
    "wget -q -O - $U/status/200",
    "wget -q $U/status/200; ls",
    "wget -q $U/dir/; ls | wc -l",
    "wget -qO out $U/status/200; cat out",
    "wget -q -O out $U/status/404; echo $?; wc -c < out",
    "wget -q $U/status/404; echo $?; ls",
    "wget -q -P a/b $U/status/200; find . -type f",
    "wget -q $U/status/200; wget -q $U/status/200; ls",
    "wget -q -nc $U/status/200; wget -q -nc $U/status/200; ls",
    "wget -q -O - --header 'X-One: 1' --header='Accept: text/x' $U/echo | grep -o '\"x-one: 1\"'",
    'wget -q -O - --post-data \'a=1&b=2\' $U/echo | grep -o \'"body":"[^"]*"\'',
    "wget -q -O - --method=PUT --body-data x $U/echo | grep -o 'PUT'",
    "wget -q --spider $U/status/200; echo $?; ls",
    "wget -q --spider $U/status/404; echo $?",
    "wget -q --content-disposition $U/named; ls",
    "wget -q -O - $U/redirect/302 | grep -o 'from=redirect'",
    "printf '%s\\n%s\\n' $U/status/200 $U/status/201 > list; wget -q -i list -O all; cat all; rm list",
    "wget -q http://127.0.0.1:1/; echo $?",
    "wget -q; [ $? -ne 0 ] && echo refused",
    "wget --frobnicate $U 2>/dev/null; echo $?",
  ])("%s", async (line) => {
    const env = { U: server.url };
    const [mine, wanted] = await Promise.all([ours(line, env, testHost(standInFetch)), real(line, env)]);
    const { stderr: _mine, ...told } = mine;
    const { stderr: _wanted, ...theirs } = wanted;
    expect(told).toEqual(theirs);
  });
});

describe("what is different in a browser is said", () => {
  const asked: NetRequest[] = [];
  const host = testHost(async (request) => {
    asked.push(request);
    if (request.url.includes("closed")) return { kind: "refused", why: "the human refused closed.example for this dialog" };
    return { kind: "failed", why: "the host could not be reached" };
  });

  test.for([
    ["curl -s https://closed.example/", 7, "curl: (7) not allowed: the human refused closed.example for this dialog\n"],
    ["wget -q https://closed.example/", 4, "wget: not allowed: the human refused closed.example for this dialog\n"],
    ["curl -s https://far.example/", 7, "curl: (7) the host could not be reached\n"],
    ["curl -sk https://far.example/", 7, "Warning: -k changes nothing here"],
    ["curl -sA me https://far.example/", 7, "Warning: the header User-Agent was not sent"],
    ["curl -b a=b https://far.example/", 2, "curl: option -b: a browser lets no program see or set cookies\n"],
    // Newer than the curl used for comparison, which sent an empty body.
    ["curl -sd @nofile https://far.example/", 26, "curl: (26) Failed to open/read local data from file/application: nofile\n"],
    ["curl -C - -O https://far.example/x", 2, "downloads can't be continued here"],
    ["curl --proxy http://p https://far.example/", 2, "which has its own proxy settings"],
    ["curl --max-redirs 3 -L https://far.example/", 2, "follows redirects by its own rules"],
    ["wget -r https://far.example/", 2, "recursive downloads are not there"],
    ["wget -c https://far.example/", 2, "can't be continued here"],
  ] as const)("%s", async ([line, exitCode, stderr]) => {
    const done = await ours(line, {}, host);
    expect(done).toMatchObject({ stdout: "", exitCode, files: {} });
    expect(done.stderr).toContain(stderr);
  });

  test("-v shows what was asked, and the program says its name", async () => {
    asked.length = 0;
    const done = await ours("curl -sv https://far.example/a?b -H 'X-One: 1'", {}, host);
    expect(done.stderr).toContain("> GET /a?b HTTP/1.1\n> Host: far.example\n> Accept: */*\n> X-One: 1\n> \n");
    expect(asked).toEqual([
      {
        url: "https://far.example/a?b",
        method: "GET",
        headers: [
          ["Accept", "*/*"],
          ["X-One", "1"],
        ],
        body: null,
        program: "curl",
        follow: false,
      },
    ]);
  });

  test("what answers badly at first is asked again; a refusal is not", async () => {
    let count = 0;
    const flaky = testHost(async (request) => {
      count++;
      if (request.url.includes("closed")) return { kind: "refused", why: "no" };
      return { kind: "answer", url: request.url, status: count < 3 ? 503 : 200, statusText: "", headers: [], body: new Uint8Array([65]) };
    });
    expect(await ours("curl -sf --retry 3 https://far.example/", {}, flaky)).toMatchObject({ stdout: "A", exitCode: 0 });
    expect(count).toBe(3);
    expect(await ours("curl -s --retry 3 --retry-all-errors https://closed.example/", {}, flaky)).toMatchObject({ exitCode: 7 });
    expect(count).toBe(4);
  });
});
