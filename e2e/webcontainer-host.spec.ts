import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { decode } from "@msgpack/msgpack";
import type { Page } from "@playwright/test";
import type { WebContainerProcess } from "@webcontainer/api";
import { unzipSync } from "fflate";
import { bootClient, type ClientPage, openClient, serveClientPage } from "./webcontainer/client-page.ts";
import { test as base, expect } from "./webcontainer/fixture.ts";
import type { WebContainerHost } from "./webcontainer/host.ts";
import type { Weather } from "./webcontainer/weather.ts";

/** Tests the stand-in for WebContainer's host with the published client, so that the other journeys can rely on it. */

const test = base.extend<object, { site: ClientPage }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
    async ({}, use) => {
      const site = await serveClientPage();
      await use(site);
      site.close();
    },
    { scope: "worker" },
  ],
});

/** Steps that run in the page, one after the other in one container, and their results. */
type Table = readonly (readonly [what: string, act: () => unknown, gives: unknown])[];

async function checkAll(page: Page, table: Table): Promise<void> {
  for (const [what, act, gives] of table) expect.soft(await page.evaluate(act), what).toEqual(gives);
}

const onlyOf = (host: WebContainerHost) => {
  const [container] = host.containers;
  if (!container || host.containers.size !== 1) throw new Error(`${host.containers.size} containers`);
  return container;
};

test("files: read and written as text and as bytes, listed, moved, removed, and never outside", async ({ page, site }) => {
  await bootClient(page, site);
  await checkAll(page, [
    ["text", () => window.container.fs.writeFile("a.txt", "ä").then(() => window.container.fs.readFile("a.txt", "utf8")), "ä"],
    ["its bytes", async () => [...(await window.container.fs.readFile("a.txt"))], [0xc3, 0xa4]],
    ["in an encoding", () => window.container.fs.readFile("/a.txt", "hex"), "c3a4"],
    [
      "bytes",
      async () => {
        await window.container.fs.writeFile("b", new Uint8Array([0, 255, 128]));
        return [...(await window.container.fs.readFile("b"))];
      },
      [0, 255, 128],
    ],
    ["a folder", () => window.container.fs.mkdir("new/er", { recursive: true }).then((made) => made.endsWith("project/new")), true],
    ["its names", () => window.container.fs.readdir("."), ["a.txt", "b", "new"]],
    [
      "its names as bytes",
      async () => (await window.container.fs.readdir(".", "buffer")).map((name) => new TextDecoder().decode(name)),
      ["a.txt", "b", "new"],
    ],
    [
      "its entries",
      async () =>
        (await window.container.fs.readdir("", { withFileTypes: true })).map((each) => [each.name, each.isFile(), each.isDirectory()]),
      [
        ["a.txt", true, false],
        ["b", true, false],
        ["new", false, true],
      ],
    ],
    ["moved", () => window.container.fs.rename("b", "new/b").then(() => window.container.fs.readdir("new")), ["b", "er"]],
    ["not empty", () => window.outcome(window.container.fs.rm("new")), expect.stringMatching(/director|EISDIR/)],
    ["removed", () => window.outcome(window.container.fs.rm("new", { recursive: true })), "answered undefined"],
    ["not there", () => window.outcome(window.container.fs.readFile("new/b", "utf8")), expect.stringMatching(/^ENOENT: .*new\/b/)],
    ["not there to be removed", () => window.outcome(window.container.fs.rm("new")), expect.stringMatching(/^ENOENT/)],
    ["no matter", () => window.outcome(window.container.fs.rm("new", { force: true })), "answered undefined"],
    ["above", () => window.outcome(window.container.fs.readFile("../../../../etc/passwd")), expect.stringMatching(/^EACCES/)],
    ["from the root", () => window.outcome(window.container.fs.readFile("/etc/passwd")), expect.stringMatching(/^ENOENT/)],
    ["a link out", () => window.container.mount({ out: { file: { symlink: "/etc" } } }), undefined],
    ["and through it", () => window.outcome(window.container.fs.readFile("out/passwd")), expect.stringMatching(/^EACCES/)],
    ["written through it", () => window.outcome(window.container.fs.writeFile("out/new", "")), expect.stringMatching(/^EACCES/)],
  ]);
});

test("trees: mounted as objects and as snapshots, exported without what is excluded", { tag: "@long" }, async ({ page, site }) => {
  await bootClient(page, site);
  await page.evaluate(() =>
    window.container.mount({
      "läs.md": { file: { contents: "ö\r\n" } },
      "pixel.bin": { file: { contents: new Uint8Array([137, 0, 255]) } },
      link: { file: { symlink: "src/a.js" } },
      empty: { directory: {} },
      src: { directory: { "a.js": { file: { contents: "1" } }, ".env": { file: { contents: "X=1" } } } },
      node_modules: {
        directory: { one: { directory: { "index.js": { file: { contents: "2" } }, "kept.txt": { file: { contents: "3" } } } } },
      },
      sub: { directory: { node_modules: { directory: { "two.js": { file: { contents: "4" } } } } } },
    }),
  );
  const src = { directory: { ".env": { file: { contents: "X=1" } }, "a.js": { file: { contents: "1" } } } };
  await checkAll(page, [
    [
      "as an object",
      async () => {
        const { "pixel.bin": pixel, ...rest } = await window.container.export(".", { excludes: ["**/node_modules"] });
        return [rest, pixel && "file" in pixel && "contents" in pixel.file && [...new Uint8Array(pixel.file.contents as Uint8Array)]];
      },
      [
        {
          empty: { directory: {} },
          "läs.md": { file: { contents: "ö\r\n" } },
          link: { file: { symlink: "src/a.js" } },
          src,
          sub: { directory: {} },
        },
        [137, 0, 255],
      ],
    ],
    [
      "with what is included for all that",
      () => window.container.export("node_modules", { excludes: ["**/*.js", "one"], includes: ["**/kept.txt"] }),
      { one: { directory: { "kept.txt": { file: { contents: "3" } } } } },
    ],
    [
      "a snapshot, mounted in a folder",
      async () => {
        const snapshot = await window.container.export("src", { format: "binary" });
        await window.container.fs.mkdir("copy");
        await window.container.mount(snapshot, { mountPoint: "copy" });
        return window.container.export("copy");
      },
      src.directory,
    ],
    [
      "over itself, and over a link that leads out",
      async () => {
        const tree = { up: { file: { symlink: "../.." } } };
        await window.container.mount(tree, { mountPoint: "copy" });
        await window.container.mount(tree, { mountPoint: "copy" });
        await window.container.mount({ up: { directory: { "in.txt": { file: { contents: "in" } } } } }, { mountPoint: "copy" });
        return window.container.export("copy/up");
      },
      { "in.txt": { file: { contents: "in" } } },
    ],
    ["where no folder is", () => window.outcome(window.container.mount({}, { mountPoint: "none" })), expect.stringMatching(/^ENOENT/)],
    [
      "a name that is a path",
      () => window.outcome(window.container.mount({ "a/b": { file: { contents: "" } } })),
      expect.stringMatching(/^EINVAL: .*a\/b/),
    ],
  ]);
  const packed = (format: "zip" | "binary") =>
    page.evaluate(
      async (kind) => [...(await window.container.export(".", { format: kind, excludes: ["**/node_modules", "copy", "sub"] }))],
      format,
    );
  const zip = unzipSync(new Uint8Array(await packed("zip")));
  const names = ["empty/", "läs.md", "pixel.bin", "src/", "src/.env", "src/a.js"];
  expect(Object.keys(zip).toSorted()).toEqual(names);
  expect(zip["pixel.bin"]).toEqual(new Uint8Array([137, 0, 255]));
  const { d: tree } = decode(new Uint8Array(await packed("binary"))) as { d: Record<string, { f?: { c: Uint8Array } }> };
  expect(tree["pixel.bin"]?.f?.c).toEqual(new Uint8Array([137, 0, 255]));
});

test("a watch tells what processes change, until it is closed", { tag: "@long" }, async ({ page, site }) => {
  await bootClient(page, site);
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    const watcher = window.container.fs.watch(".", { recursive: true }, (type, filename) => void heard.push(`${type} ${String(filename)}`));
    Object.assign(window, { watcher });
  });
  const write = (name: string) =>
    page.evaluate((path) => window.run("node", ["-e", `fs.mkdirSync('src',{recursive:true});fs.writeFileSync('${path}','1')`]), name);
  const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);
  await write("src/a.js");
  await expect.poll(heard).toContain("rename src");
  await expect.poll(async () => (await write("src/a.js"), await heard())).toContainEqual(expect.stringMatching(/ src\/a\.js$/));
  const count = await page.evaluate(async () => {
    const { watcher, heard: all } = window as unknown as { watcher: { close(): Promise<void> }; heard: string[] };
    await watcher.close();
    return all.length;
  });
  await write("src/late.js");
  expect(await heard()).toHaveLength(count);
});

test("processes: output, exit codes, env and cwd, and what is not on the PATH", async ({ page, site }) => {
  await bootClient(page, site);
  await checkAll(page, [
    [
      "mounts",
      () => window.container.mount({ src: { directory: { "lib.mjs": { file: { contents: "export const n = 42;" } } } } }),
      undefined,
    ],
    [
      "imports what is mounted",
      () => window.run("node", ["-e", "import('./lib.mjs').then(({n}) => console.log(n))"], { cwd: "src" }),
      { code: 0, text: "\u001B[33m42\u001B[39m\r\n" },
    ],
    ["exit code", () => window.run("node", ["-e", "console.error('no');process.exit(3)"]), { code: 3, text: "no\r\n" }],
    [
      "environment, folder",
      () =>
        window.run("node", ["-p", "process.env.A + process.env.B + process.cwd().endsWith('/src')"], {
          cwd: "src",
          env: { A: 1, B: true },
        }),
      { code: 0, text: "1truetrue\r\n" },
    ],
    [
      "nothing of the tests",
      () => window.run("node", ["-p", "Object.keys(process.env).filter((n) => /VIBEY|TEST_/.test(n)).length + ''"]),
      { code: 0, text: "0\r\n" },
    ],
    ["arguments as they are", () => window.run("echo", ["it's", "$HOME", "a\nb", ""]), { code: 0, text: "it's $HOME a\r\nb \r\n" }],
    ["no such program", () => window.outcome(window.container.spawn("git", ["status"])), "ENOENT: spawn git ENOENT"],
    ["no such folder", () => window.outcome(window.container.spawn("node", ["-v"], { cwd: "none" })), expect.stringMatching(/ENOENT/)],
    [
      "not on the PATH",
      () =>
        window.run("jsh", [
          "-c",
          "for each in grep sed awk find xargs git tar sh bash; do command -v $each; done; command -v node | head -c 1; grep",
        ]),
      { code: 127, text: expect.stringMatching(/^\/[^\r\n]*grep: command not found\r\n$/) },
    ],
    [
      "npm",
      async () => {
        await window.container.mount({ "package.json": { file: { contents: '{"scripts":{"hi":"node -p 6*7 | head -n 1"}}' } } });
        const { code, text } = await window.run("npm", ["run", "-s", "hi"]);
        return [code, text.trim()];
      },
      [0, "42"],
    ],
  ]);
});

test("terminals: their size, input and output in turn, and a lot of both", { tag: "@long" }, async ({ page, site }) => {
  await bootClient(page, site);
  await checkAll(page, [
    [
      "a terminal of a size",
      () => window.run("node", ["-p", "[process.stdout.isTTY, process.stdout.columns].join()"], { terminal: { cols: 33, rows: 9 } }),
      { code: 0, text: "true,33\r\n" },
    ],
    [
      "resized",
      async () => {
        const process = await window.container.spawn("node", [
          "-e",
          "process.stdout.on('resize',()=>{console.log(process.stdout.columns+'');process.exit()});setInterval(()=>{},1e3);console.log('up')",
        ]);
        let text = "";
        const write = (piece: string) => {
          if (text === "") process.resize({ cols: 44, rows: 9 });
          text += piece;
        };
        await process.output.pipeTo(new WritableStream({ write }));
        return text;
      },
      "up\r\n44\r\n",
    ],
    [
      "5 MB",
      async () => {
        const { code, text } = await window.run("node", ["-e", "process.stdout.write('0123456789'.repeat(524288) + 'end')"]);
        return [code, text.length, text.endsWith("9end")];
      },
      [0, 5_242_883, true],
    ],
    [
      "input and output in turn",
      async () => {
        const process = await window.container.spawn("node", [
          "-e",
          "process.stdin.setEncoding('utf8').on('data', (d) => d.includes('stop') ? process.exit(7) : console.log('got ' + d.trim()))",
        ]);
        const input = process.input.getWriter();
        const output = process.output.getReader();
        let text = "";
        const until = async (sought: string) => {
          while (!text.includes(sought)) text += (await output.read()).value ?? "";
        };
        await input.write("one\n");
        await until("got one");
        await input.write("two\n");
        await until("got two");
        await input.write("stop\n");
        return process.exit;
      },
      7,
    ],
    [
      "a line longer than a terminal's, at once",
      async () => {
        const script = "let n=0;process.stdin.on('data',(d)=>{n+=d.length;if(d.includes(10)){console.log('got '+n);process.exit()}})";
        const process = await window.container.spawn("node", ["-e", script]);
        await process.input.getWriter().write(`${"x".repeat(300_000)}\n`);
        let text = "";
        await process.output.pipeTo(new WritableStream({ write: (piece) => void (text += piece) }));
        return /got \d+/.exec(text)?.[0];
      },
      "got 300001",
    ],
    ["nobody listens", async () => (await window.container.spawn("node", ["-p", "1"], { output: false })).exit, 0],
  ]);
});

test("what is killed goes with all that it started", { tag: "@long" }, async ({ page, container, site }) => {
  await bootClient(page, site);
  const code = await page.evaluate(async () => {
    const leave = "require('child_process').spawn(process.execPath,['-e','setInterval(()=>{},1e3)'],{detached:true,stdio:'ignore'})";
    const process = await window.container.spawn("jsh", [
      "-c",
      `node -e "${leave}.unref();setInterval(()=>{},1e3);console.log('up')"; echo after`,
    ]);
    const output = process.output.getReader();
    await output.read();
    process.kill();
    return process.exit;
  });
  expect(code).toBe(137);
  expect(onlyOf(container).pids()).toEqual([]);
});

test("one container at a time; a new one after a teardown, and nothing left of the first", { tag: "@long" }, async ({
  page,
  container,
  site,
}) => {
  await bootClient(page, site);
  expect(container.asked.map((url) => url.search)).toEqual(["?coep=credentialless&version=1.6.4"]);
  const first = onlyOf(container);
  const [refusal] = await page.evaluate(async () => {
    await window.container.spawn("node", ["-e", "setInterval(()=>{},1e3)"]);
    const second = await window.outcome(window.client.WebContainer.boot());
    window.container.teardown();
    window.container = await window.client.WebContainer.boot({ workdirName: "again" });
    return [second];
  });
  expect(refusal).toBe("Only a single WebContainer instance can be booted");
  expect([first.pids(), existsSync(first.info.cwd)]).toEqual([[], false]);
  const again = onlyOf(container);
  expect(await page.evaluate(() => window.run("node", ["-p", "require('path').basename(process.cwd())"]))).toEqual({
    code: 0,
    text: "again\r\n",
  });
  // Nothing is left of a container whose page is closed.
  await page.evaluate(() => window.container.spawn("node", ["-e", "setInterval(()=>{},1e3)"]).then(() => undefined));
  await page.goto("about:blank");
  await expect.poll(() => container.containers.size).toBe(0);
  expect([again.pids(), existsSync(again.info.cwd)]).toEqual([[], false]);
});

const server = `
const { createServer } = require("http");
const page = "<html><head><title>Served</title></head><body><script>console.error('seen', 1); setTimeout(() => { throw new Error('broken') })</script></body></html>";
const server = createServer((request, response) => {
  if (request.url === "/host") return response.end(request.headers.host);
  response.setHeader("Content-Type", "text/html").end(page);
});
server.listen(3000);
process.stdin.on("data", () => server.close());`;

for (const [coep, name, end] of [
  ["credentialless", "local-credentialless", "closes"],
  ["require-corp", "local-corp", "is killed"],
] as const) {
  test(`a server has an address, and its page a frame, until it ${end}: ${coep}`, { tag: "@long" }, async ({ page, container, site }) => {
    await bootClient(page, site, coep);
    const [told, port] = await page.evaluate(async (source) => {
      const heard: unknown[] = [];
      Object.assign(window, { heard });
      for (const event of ["port", "server-ready", "preview-message", "error"] as const)
        window.container.on(event as "port", (...args) => void heard.push([event, ...args]));
      await window.container.mount({ "server.cjs": { file: { contents: source } } });
      await window.container.setPreviewScript("document.documentElement.lang = 'cy'");
      const ready = new Promise<readonly [string, number]>(
        (resolve) => void window.container.on("server-ready", (at, address) => resolve([address, at])),
      );
      const process = await window.container.spawn("node", ["server.cjs"]);
      Object.assign(window, { process });
      const [url, number] = await ready;
      const frame = document.createElement("iframe");
      frame.allow = "cross-origin-isolated";
      frame.src = url;
      document.body.append(frame);
      return [url, number] as const;
    }, server);
    expect(port).toBe(3000);
    const inside = [
      "console.error((await (await fetch('http://localhost:3000/host')).text()))",
      "require('net').createServer().listen(3000).on('error', ({ code }) => console.error(code))",
      "require('http').createServer().listen('3001', function () { console.error(String(this.address().port)); this.close() })",
    ];
    const outputs = await page.evaluate(
      (scripts) => Promise.all(scripts.map(async (script) => (await window.run("node", ["-e", `(async()=>{${script}})()`])).text.trim())),
      inside,
    );
    expect(outputs).toEqual(["localhost:3000", "EADDRINUSE", "3001"]);
    expect(new URL(told).host).toMatch(new RegExp(`^[0-9a-f]{30}-[0-9a-f]{4}--${port}--[0-9a-f]{8}\\.${name}\\.webcontainer-api\\.io$`));
    const heard = () => page.evaluate(() => (window as unknown as { heard: unknown[] }).heard);
    onlyOf(container).emit("error", { message: "out of memory" });
    const where = { previewId: expect.any(String), port, pathname: "/", search: "", hash: "" };
    const trace = expect.any(String);
    await expect.poll(heard).toEqual(
      expect.arrayContaining([
        ["port", port, "open", told],
        ["server-ready", port, told],
        ["error", { message: "out of memory" }],
        ["preview-message", { type: "PREVIEW_CONSOLE_ERROR", args: ["seen", "1"], stack: trace, ...where }],
        ["preview-message", { type: "PREVIEW_UNCAUGHT_EXCEPTION", message: "broken", stack: trace, ...where }],
      ]),
    );
    // A program that only checks whether a port is free has no server there.
    expect((await heard()).filter((each) => JSON.stringify(each).includes("3001"))).toEqual([]);
    const frame = page.frame({ url: `${told}/` });
    expect(await frame?.evaluate(() => [document.title, document.documentElement.lang, crossOriginIsolated])).toEqual([
      "Served",
      "cy",
      true,
    ]);
    expect(await frame?.evaluate(() => fetch("/host").then((response) => response.text()))).toBe(`localhost:${port}`);
    const reloaded = page.waitForEvent("framenavigated", (each) => each === frame);
    await page.evaluate(() => {
      const preview = document.querySelector<HTMLIFrameElement>("iframe[allow][src*='--']");
      return preview && window.client.reloadPreview(preview);
    });
    await reloaded;
    await page.evaluate(async (how) => {
      const { process } = window as unknown as { process: WebContainerProcess };
      if (how === "closes") await process.input.getWriter().write("\n");
      else process.kill();
    }, end);
    await expect.poll(heard).toContainEqual(["port", port, "close", told]);
  });
}

test("Vite serves a project and replaces a changed module through a WebSocket", { tag: "@long" }, async ({ page, site }) => {
  await bootClient(page, site);
  const vite = join(dirname(fileURLToPath(import.meta.resolve("vite/package.json"))), "bin/vite.js");
  await page.evaluate(async (program) => {
    const main =
      "export const text = 'first'; document.body.textContent = text; import.meta.hot.accept((next) => { document.body.textContent = next.text + ' ' + window.mark })";
    await window.container.mount({
      "index.html": {
        file: { contents: '<body><script>window.mark = "kept"</script><script type="module" src="/main.js"></script></body>' },
      },
      "main.js": { file: { contents: main } },
    });
    const ready = new Promise<string>((resolve) => void window.container.on("server-ready", (_, address) => resolve(address)));
    await window.container.spawn("node", [program]);
    const address = await ready;
    document.body.insertAdjacentHTML("beforeend", `<iframe id="preview" src="${address}"></iframe>`);
  }, vite);
  await expect(page.locator("#preview")).toHaveAttribute("src", /--5173--/);
  const body = page.frameLocator("#preview").locator("body");
  await expect(body).toHaveText("first");
  // The socket opens a moment after the page, so repeat the change.
  const change = () =>
    page.evaluate(async () => {
      const text = await window.container.fs.readFile("main.js", "utf8");
      await window.container.fs.writeFile("main.js", text.replace(/'first'|'second'/, "'second'").concat("\n"));
    });
  await expect.poll(async () => (await change(), body.textContent())).toBe("second kept");
});

/** How `boot` ends. If it never does, `until` says what to wait for before giving up: that the frame has loaded or sent a message. */
const hostile: readonly (readonly [Weather, outcome: string, until?: "load" | "message"])[] = [
  ["quiet", "silence", "load"],
  ["mute", "silence", "message"],
  ["refuses", "silence", "load"],
  ["unreachable", "silence", "load"],
  [{ fails: "Unable to create more instances" }, "Unable to create more instances"],
  [{ slow: 100 }, 'answered "slowly"'],
];

for (const [weather, outcome, until] of hostile) {
  test(`weather: ${JSON.stringify(weather)}`, { tag: "@long" }, async ({ page, container, site }) => {
    await openClient(page, site.url("credentialless"));
    container.weather = weather;
    const seen = await page.evaluate(async (event) => {
      const begun = Date.now();
      const boots = window.client.WebContainer.boot({ coep: "credentialless" });
      const booted = boots.then(() => (Date.now() - begun >= 100 ? "slowly" : "at once"));
      if (event === undefined) return window.outcome(booted);
      while (document.querySelector("iframe") === null) await new Promise((next) => setTimeout(next));
      const happened = new Promise((resolve) => {
        if (event === "load") document.querySelector("iframe")?.addEventListener("load", resolve);
        else addEventListener("message", resolve);
      });
      const later = happened.then(() => new Promise((next) => setTimeout(next, 200)));
      return window.outcome(
        booted,
        later.then(() => "silence"),
      );
    }, until);
    expect(seen).toBe(outcome);
    const frame = page.frames()[1]?.url() ?? "";
    expect(frame).toMatch(weather === "refuses" || weather === "unreachable" ? /^chrome-error:/ : /^https:\/\/stackblitz\.com\/headless\?/);
  });
}

test("a crash: all processes are gone, and no call is answered", { tag: "@long" }, async ({ page, container, site }) => {
  await bootClient(page, site);
  await page.evaluate(async () => {
    const process = await window.container.spawn("node", ["-e", "console.log('up');setInterval(()=>{},1e3)"]);
    await process.output.getReader().read();
    Object.assign(window, { process });
  });
  expect(onlyOf(container).pids()).not.toEqual([]);
  await container.crash();
  expect(onlyOf(container).pids()).toEqual([]);
  const outcomes = await page.evaluate(() => {
    const { process } = window as unknown as { process: { exit: Promise<number> } };
    const late = new Promise<string>((resolve) => setTimeout(() => resolve("silence"), 200));
    return Promise.all(
      [process.exit, window.container.fs.readdir("."), window.container.spawn("node")].map((each) => window.outcome(each, late)),
    );
  });
  expect(outcomes).toEqual(["silence", "silence", "silence"]);
});

test("a page that is not isolated gets no container", async ({ page, site }) => {
  await openClient(page, site.url(null));
  const outcome = await page.evaluate(() => window.outcome(window.client.WebContainer.boot({ coep: "credentialless" })));
  expect(outcome).toContain("requires self.crossOriginIsolated");
});
