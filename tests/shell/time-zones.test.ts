import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { timeOf, zoneOf } from "../../src/shell/embedded/zone.ts";
import { loopbackWorker } from "./loopback.ts";
import { project } from "./project.ts";

/** A command, and the output of bash 5.2 and the GNU commands. The row for gawk is computed from `date`. */
const commands: readonly (readonly [command: string, stdout: string])[] = [
  ["TZ=America/New_York date -d @0", "Wed Dec 31 19:00:00 EST 1969\n"],
  ["TZ=America/New_York date -d '2024-07-01 12:00' '+%F %T %z %Z %s'", "2024-07-01 12:00:00 -0400 EDT 1719849600\n"],
  [
    "export TZ=Europe/Berlin; date -d '2024-01-15 10:00'; date -d '2024-07-15 10:00' -R; date -d '2024-07-15 10:00' -Iseconds; date -d '2024-07-15 10:00' --rfc-3339=seconds; date -u -d '2024-07-15 10:00'",
    "Mon Jan 15 10:00:00 CET 2024\nMon, 15 Jul 2024 10:00:00 +0200\n2024-07-15T10:00:00+02:00\n2024-07-15 10:00:00+02:00\nMon Jul 15 10:00:00 UTC 2024\n",
  ],
  ["TZ=Asia/Tokyo date -d '2024-01-01T00:00:00Z' '+%F %T %Z'", "2024-01-01 09:00:00 JST\n"],
  ["TZ=Asia/Kolkata date -d '2024-01-01 10:00 UTC' '+%F %T %:z %::z %:::z %Z'", "2024-01-01 15:30:00 +05:30 +05:30:00 +05:30 IST\n"],
  [
    "TZ=EST5EDT date -d @1700000000; TZ=UTC+3 date -d @0 '+%F %T %z %Z'; TZ='<+0330>-3:30' date -d @0 '+%F %T %z %Z'",
    "Tue Nov 14 17:13:20 EST 2023\n1969-12-31 21:00:00 -0300 UTC\n1970-01-01 03:30:00 +0330 +0330\n",
  ],
  [
    "TZ=CET-1CEST,M3.5.0,M10.5.0/3 date -d '2024-10-27 01:30 UTC' '+%T %Z'; TZ=CET-1CEST,M3.5.0,M10.5.0/3 date -d '2024-10-27 00:59:59 UTC' '+%T %Z'; TZ=NZST-12NZDT,M9.5.0,M4.1.0/3 date -d @1700000000",
    "02:30:00 CET\n02:59:59 CEST\nWed Nov 15 11:13:20 NZDT 2023\n",
  ],
  [
    "TZ=Nowhere/Else date -d @0; TZ= date -d @0; TZ=:Asia/Tokyo date -d @0; TZ=GMT date -d @0",
    "Thu Jan  1 00:00:00 Nowhere 1970\nThu Jan  1 00:00:00 UTC 1970\nThu Jan  1 09:00:00 JST 1970\nThu Jan  1 00:00:00 GMT 1970\n",
  ],
  ["date -d 'TZ=\"America/Los_Angeles\" 2024-03-10 09:00' '+%F %T %Z'", "2024-03-10 16:00:00 UTC\n"],
  ["TZ=America/New_York date -d 'TZ=\"UTC\" 2024-03-10 09:00' '+%F %T %Z'", "2024-03-10 05:00:00 EDT\n"],
  [
    "export TZ=America/New_York; date -d '2024-03-10 01:59:59 1 second'; date -d '2024-03-09 12:00 1 day'; date -d '2024-03-09 12:00 24 hours'; date -d '2024-11-03 01:30'",
    "Sun Mar 10 03:00:00 EDT 2024\nSun Mar 10 12:00:00 EDT 2024\nSun Mar 10 13:00:00 EDT 2024\nSun Nov  3 01:30:00 EDT 2024\n",
  ],
  [
    "TZ=America/New_York date -d 'Thu Nov 26 17:14:36 EST 2026' +%s; date -d 'Thu Nov 26 22:14:36 UTC 2026' +%s; date -d '2026-11-26 10:00 PDT' +%FT%T",
    "1795731276\n1795731276\n2026-11-26T17:00:00\n",
  ],
  [
    "date -d '2024-12-30' '+%G-W%V %g %U %W %C %r'; date -d '2021-01-03' '+%G-W%V-%u %U %W'; date -d '2024-02-29' +%j",
    "2025-W01 25 52 53 20 12:00:00 AM\n2020-W53-7 01 00\n060\n",
  ],
  ["TZ=America/New_York; date -d @0 +%H; export TZ; date -d @0 +%H; unset TZ; date -d @0 +%H", "00\n19\n00\n"],
  [
    "TZ=America/New_York touch -d '2024-07-01 12:00' f; stat -c '%y %Y' f; TZ=Asia/Tokyo stat -c %y f; TZ=Asia/Tokyo touch -t 202401010900 g; stat -c '%y' g; TZ=America/New_York date -r g",
    "2024-07-01 16:00:00.000000000 +0000 1719849600\n2024-07-02 01:00:00.000000000 +0900\n2024-01-01 00:00:00.000000000 +0000\nSun Dec 31 19:00:00 EST 2023\n",
  ],
  [
    "touch -d '2024-07-01T12:00:00Z' f; TZ=America/New_York ls -l --time-style=+%FT%T%z f | cut -d' ' -f6-; TZ=Asia/Tokyo ls -l --time-style=long-iso f | cut -d' ' -f6-; TZ=Asia/Tokyo ls --full-time f | cut -d' ' -f6-; TZ=Pacific/Auckland ls -l f | cut -d' ' -f6-",
    "2024-07-01T08:00:00-0400 f\n2024-07-01 21:00 f\n2024-07-01 21:00:00.000000000 +0900 f\nJul  2  2024 f\n",
  ],
  [
    "touch -d '2024-07-01T12:00:00Z' f; export TZ=Asia/Tokyo; find f -printf '%TY-%Tm-%Td %TH:%TM\\n'; find f -newermt '2024-07-01 20:59'; find f -newermt '2024-07-01 21:01'",
    "2024-07-01 21:00\nf\n",
  ],
  [
    "printf '%(%F %T %z %Z)T\\n' 0; TZ=Asia/Tokyo printf '%(%F %T %Z)T|%s\\n' 0 a 86400; export TZ=EST5; printf '[%12(%F)T] %d%%\\n' 86400 3 172800; printf -v x '%(%H)T' 0; echo $x; printf '%()T\\n' 0",
    "1970-01-01 00:00:00 +0000 UTC\n1970-01-01 09:00:00 JST|a\n1970-01-02 09:00:00 JST|\n[  1970-01-01] 3%\n[  1970-01-02] 0%\n19\n19:00:00\n",
  ],
  [
    'export TZ=America/New_York; awk \'BEGIN { print strftime("%F %T %z %Z", 0), strftime("%F %T %Z", 0, 1), mktime("2024 07 01 12 00 00") }\'',
    "1969-12-31 19:00:00 -0500 EST 1970-01-01 00:00:00 UTC 1719849600\n",
  ],
];

test.each(commands)("%s", async (command, stdout) => {
  const { run, sandbox } = await project({ createWorker: loopbackWorker });
  const outcome = await run(command);
  sandbox.dispose();
  expect({ stdout: outcome.stdout, stderr: outcome.stderr }).toEqual({ stdout, stderr: "" });
});

test("a time that is none fails printf, and the rest is printed", async () => {
  const { run, sandbox } = await project({ createWorker: loopbackWorker });
  const outcome = await run("printf '%(%F)T %s\\n' x y");
  sandbox.dispose();
  expect(outcome).toMatchObject({ stdout: "1970-01-01 y\n", stderr: "bash: printf: x: invalid number\n", exitCode: 1 });
});

describe("zones", () => {
  const zones = ["UTC", "America/New_York", "Europe/London", "Asia/Kolkata", "Australia/Lord_Howe", "EST5EDT,M3.2.0,M11.1.0", "<-03>3"];
  const hour = 3_600_000;

  test.each(zones)("%s: what the clocks show leads back to the time, or to one of the two with that local time", (name) => {
    const zone = zoneOf(name);
    const time = fc.integer({ min: Date.UTC(1980, 0) / hour, max: Date.UTC(2035, 0) / hour }).map((hours) => hours * hour);
    fc.assert(
      fc.property(time, (at) => {
        const local = at + zone.offset(at) * 1000;
        const back = timeOf(local, zone);
        expect(back + zone.offset(back) * 1000).toBe(local);
        expect(back).toBeLessThanOrEqual(at);
        expect(at - back).toBeLessThanOrEqual(hour);
      }),
      { numRuns: 200 },
    );
  });

  test("the rules of a text are those of the zone that it describes", () => {
    const pairs = [
      ["CET-1CEST,M3.5.0,M10.5.0/3", "Europe/Berlin"],
      ["NZST-12NZDT,M9.5.0,M4.1.0/3", "Pacific/Auckland"],
      ["EST5EDT", "America/New_York"],
    ] as const;
    for (const [text, name] of pairs) {
      for (let at = Date.UTC(2024, 0); at < Date.UTC(2026, 0); at += 6 * hour) {
        expect([zoneOf(text).offset(at), zoneOf(text).name(at)]).toEqual([zoneOf(name).offset(at), zoneOf(name).name(at)]);
      }
    }
  });
});
