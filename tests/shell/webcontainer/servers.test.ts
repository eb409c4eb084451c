import { describe, expect, test } from "vitest";
import { createServers } from "../../../src/shell/webcontainer/servers.ts";

function world() {
  let changes = 0;
  const servers = createServers(() => (changes += 1));
  return {
    servers,
    owns: (background: string) => servers.owns({ dialogId: "d", background, command: `serve ${background}` }),
    listed: () => servers.views().map(({ port, owner }) => `${port} ${owner?.background ?? "nobody"}`),
    changes: () => changes,
  };
}

describe("whose a server is", () => {
  test("nobody's, when nothing runs in the background", () => {
    const { servers, listed } = world();
    servers.opened(3000, "https://x");
    expect(listed()).toEqual(["3000 nobody"]);
  });

  test("that of the command started last, which has none yet", () => {
    const { servers, owns, listed } = world();
    owns("bg-1");
    servers.opened(5173, "https://a");
    owns("bg-2");
    servers.opened(3000, "https://b");
    expect(listed()).toEqual(["3000 bg-2", "5173 bg-1"]);
  });

  test("a second one of the last that runs", () => {
    const { servers, owns, listed } = world();
    owns("bg-1");
    servers.opened(1, "https://a");
    servers.opened(2, "https://b");
    expect(listed()).toEqual(["1 bg-1", "2 bg-1"]);
  });

  test("it stays whose it was when it is said to be open once more", () => {
    const { servers, owns, listed } = world();
    owns("bg-1");
    servers.opened(1, "https://a");
    owns("bg-2");
    servers.opened(1, "https://a");
    expect(listed()).toEqual(["1 bg-1"]);
  });
});

describe("while a command runs in the foreground", () => {
  test("it is nobody's, though a command in the background could have opened it", () => {
    const { servers, owns, listed } = world();
    owns("bg-1");
    servers.inFront();
    servers.opened(3000, "https://a");
    expect(listed()).toEqual(["3000 nobody"]);
  });

  test("what had opened before stays whose it was", () => {
    const { servers, owns, listed } = world();
    owns("bg-1");
    servers.opened(3000, "https://a");
    const leave = servers.inFront();
    servers.opened(3000, "https://a");
    expect(listed()).toEqual(["3000 bg-1"]);
    leave();
    expect(listed()).toEqual(["3000 bg-1"]);
  });

  test("what still listens after it is that of the only command in the background; that is told, once", () => {
    const { servers, owns, listed, changes } = world();
    const end = owns("bg-1");
    const leave = servers.inFront();
    servers.opened(3000, "https://a");
    servers.opened(3001, "https://b");
    servers.closed(3001);
    owns("bg-2");
    expect(changes()).toBe(3);
    leave();
    // The second command had not started when the server opened.
    expect(listed()).toEqual(["3000 bg-1"]);
    expect(changes()).toBe(4);
    end();
    expect(listed()).toEqual([]);
  });

  test("of two in the background it is not known which", () => {
    const { servers, owns, listed } = world();
    owns("bg-1");
    const end = owns("bg-2");
    const leave = servers.inFront();
    servers.opened(3000, "https://a");
    leave();
    expect(listed()).toEqual(["3000 nobody"]);
    // The server stays when a command ends that may not own it.
    end();
    expect(listed()).toEqual(["3000 nobody"]);
    servers.opened(3001, "https://b");
    expect(listed()).toEqual(["3000 nobody", "3001 bg-1"]);
  });

  test("the WebContainer's end leaves nothing to find out", () => {
    const { servers, owns, listed } = world();
    owns("bg-1");
    const leave = servers.inFront();
    servers.opened(3000, "https://a");
    servers.clear();
    leave();
    expect(listed()).toEqual([]);
  });
});

test("it goes with its port, with its command, and with the WebContainer; each is told", () => {
  const { servers, owns, listed, changes } = world();
  const end = owns("bg-1");
  servers.opened(1, "https://a");
  servers.opened(2, "https://b");
  servers.closed(1);
  servers.closed(1);
  expect(listed()).toEqual(["2 bg-1"]);
  expect(changes()).toBe(3);
  end();
  expect(listed()).toEqual([]);
  expect(changes()).toBe(4);
  servers.opened(3, "https://c");
  servers.clear();
  servers.clear();
  expect(listed()).toEqual([]);
  expect(changes()).toBe(6);
});
