import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { bootMs, createBooter, frameMs } from "../../../src/app/container-host/boot.ts";
import { type Container, forgetLast, type FrameState } from "../../../src/app/container-host/client.ts";
import { fakeContainer } from "./fake-container.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A client that answers when the test tells it to. */
function world() {
  const boots: { resolve: (container: Container) => void; reject: (error: Error) => void }[] = [];
  const page = { isolated: true, online: true, frame: "none" as FrameState, reloads: 0 };
  const booter = createBooter({
    boot: () => new Promise((resolve, reject) => void boots.push({ resolve, reject })),
    isolated: () => page.isolated,
    online: () => page.online,
    frame: { state: () => page.frame, reload: () => void page.reloads++ },
  });
  return { boots, page, booter };
}

const whyOf = async (booted: Promise<object>) => {
  const got = await booted;
  return "why" in got ? String(got.why) : "booted";
};

test("what boots is there, and whoever asks again gets it at once", async () => {
  const { boots, booter } = world();
  const { container } = fakeContainer();
  const asked = [booter.boot(), booter.boot()];
  await vi.advanceTimersByTimeAsync(0);
  boots[0]?.resolve(container);
  expect(await Promise.all(asked)).toEqual([{ container }, { container }]);
  expect(await booter.boot()).toEqual({ container });
  expect(boots).toHaveLength(1);
});

test("whoever waits when the frame is taken out is told at once", async () => {
  const { booter } = world();
  const asked = booter.boot();
  booter.kill("taken out");
  expect(await asked).toEqual({ why: "taken out" });
});

test("a page that is not isolated asks the client for nothing", async () => {
  const { boots, page, booter } = world();
  page.isolated = false;
  expect(await whyOf(booter.boot())).toContain("needs this page isolated");
  expect(boots).toHaveLength(0);
});

test("without a network the client is asked for nothing, so that it can be asked later", async () => {
  const { boots, page, booter } = world();
  page.online = false;
  expect(await whyOf(booter.boot())).toContain("offline");
  expect(boots).toHaveLength(0);
});

describe("a client that says nothing", () => {
  test.each([
    ["its frame never came", { frame: "loading" }, "Couldn't reach stackblitz.com within 20 seconds"],
    ["its frame is there and stays silent", { frame: "loaded" }, "didn't start within 20 seconds"],
    ["the page's policy refused its frame", { frame: "refused" }, "isn't set up for WebContainer yet"],
    ["its frame has spoken, and then nothing", { frame: "spoken" }, "WebContainer wasn't ready within 20 seconds"],
  ] as const)("%s", async (_, page, says) => {
    const { boots, booter, page: now } = world();
    Object.assign(now, page);
    const asked = whyOf(booter.boot());
    await vi.advanceTimersByTimeAsync(bootMs);
    expect(await asked).toContain(says);
    // A new request waits for the running boot: a second boot would wait for the first forever.
    const again = whyOf(booter.boot());
    await vi.advanceTimersByTimeAsync(bootMs);
    expect(await again).toContain(says);
    expect(boots).toHaveLength(1);
  });

  test("has its frame loaded anew for who asks again, when it had time enough", async () => {
    const { boots, booter, page } = world();
    for (const reloads of [0, 0, 0, 1, 1, 1, 2]) {
      const asked = whyOf(booter.boot());
      expect(page.reloads).toBe(reloads);
      await vi.advanceTimersByTimeAsync(bootMs);
      await asked;
    }
    expect(3 * bootMs).toBe(frameMs);
    expect(boots).toHaveLength(1);
  });

  test("and no network: that is said, also when it comes later", async () => {
    const { booter, page } = world();
    const asked = whyOf(booter.boot());
    page.online = false;
    await vi.advanceTimersByTimeAsync(bootMs);
    expect(await asked).toContain("offline");
  });

  test("is used from then on when it comes after all", async () => {
    const { boots, booter } = world();
    const { container } = fakeContainer();
    const late = whyOf(booter.boot());
    await vi.advanceTimersByTimeAsync(bootMs);
    expect(await late).not.toBe("booted");
    boots[0]?.resolve(container);
    await vi.advanceTimersByTimeAsync(0);
    expect(await booter.boot()).toEqual({ container });
    expect(boots).toHaveLength(1);
  });
});

test("a client that says no is asked anew the next time", async () => {
  const { boots, booter } = world();
  const { container } = fakeContainer();
  const refused = whyOf(booter.boot());
  await vi.advanceTimersByTimeAsync(0);
  boots[0]?.reject(new Error("no room"));
  expect(await refused).toBe("WebContainer couldn't start: no room");
  const again = booter.boot();
  await vi.advanceTimersByTimeAsync(0);
  boots[1]?.resolve(container);
  expect(await again).toEqual({ container });
});

test("after the frame is gone there is none, also not one that was still coming", async () => {
  const { boots, booter } = world();
  const asked = whyOf(booter.boot());
  await vi.advanceTimersByTimeAsync(0);
  booter.kill("taken out");
  boots[0]?.resolve(fakeContainer().container);
  expect(await asked).toBe("taken out");
  expect(await whyOf(booter.boot())).toBe("taken out");
  expect(boots).toHaveLength(1);
});

describe("one that is given up while it is waited for", () => {
  test("is told to who waits at once, and ended when it comes", async () => {
    const { boots, booter } = world();
    const fake = fakeContainer();
    const asked = whyOf(booter.boot());
    await vi.advanceTimersByTimeAsync(0);
    booter.tearDown();
    expect(await asked).toBe("WebContainer isn't running.");
    boots[0]?.resolve(fake.container);
    await vi.advanceTimersByTimeAsync(0);
    expect([fake.state.tornDown, booter.running()]).toEqual([1, null]);
    const next = booter.boot();
    await vi.advanceTimersByTimeAsync(0);
    const { container } = fakeContainer();
    boots[1]?.resolve(container);
    expect(await next).toEqual({ container });
  });

  test("is used when somebody has asked for it again before it comes", async () => {
    const { boots, booter } = world();
    const { container, state } = fakeContainer();
    void booter.boot();
    await vi.advanceTimersByTimeAsync(0);
    booter.tearDown();
    const again = booter.boot();
    boots[0]?.resolve(container);
    expect(await again).toEqual({ container });
    expect([boots.length, state.tornDown]).toEqual([1, 0]);
  });
});

describe("the container before", () => {
  const memory = (end: Promise<void> | null) => ({ _instance: {}, _teardownPromise: end });

  test.each([
    ["has ended", Promise.resolve()],
    ["never says that it has", new Promise<void>(() => {})],
  ])("%s: it is in nobody's way", async (_, end) => {
    const kept = memory(end);
    const done = forgetLast(kept, 10);
    await vi.advanceTimersByTimeAsync(10);
    await done;
    expect(kept).toEqual({ _instance: null, _teardownPromise: null });
  });

  test("fails as it ends: it is in nobody's way either", async () => {
    const kept = memory(Promise.reject(new Error("gone")));
    await forgetLast(kept);
    expect(kept).toEqual({ _instance: null, _teardownPromise: null });
  });

  test("is left where nobody has ended it", async () => {
    const kept = memory(null);
    await forgetLast(kept);
    expect(kept["_instance"]).toEqual({});
  });
});
