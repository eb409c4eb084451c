/** curl's options as typed. */
export interface CurlOptions {
  has(name: string): boolean;
  /** The last value given; null if the option was not given. */
  value(name: string): string | null;
  values(name: string): readonly string[];
  /** Options and URLs in order; a URL has the name "url". */
  readonly given: readonly Given[];
}

export interface Given {
  readonly name: string;
  readonly value: string;
}

/** An error in a command line. `message`: curl's text, without `curl: `. */
export interface Wrong {
  readonly exitCode: number;
  readonly message: string;
}

/** "s silent" is a switch; "d data=" takes a value. */
const used =
  "s silent|S show-error|f fail|fail-with-body|fail-early|i include|I head|L location|location-trusted|o output=|O remote-name|remote-name-all|J remote-header-name|X request=|" +
  "d data=|data-raw=|data-ascii=|data-binary=|data-urlencode=|json=|F form=|form-string=|H header=|A user-agent=|e referer=|u user=|oauth2-bearer=|" +
  "G get|w write-out=|m max-time=|retry=|retry-delay=|retry-max-time=|retry-all-errors|retry-connrefused|k insecure|v verbose|T upload-file=|" +
  "D dump-header=|g globoff|url=|create-dirs|output-dir=|r range=|proto=|proto-default=|V version|h help|remove-on-error";

/** Options without an effect here that no one can miss: the browser does these things, or they concern how curl itself works. */
const harmless =
  "Z parallel|parallel-max=|parallel-immediate|# progress-bar|no-progress-meter|N no-buffer|4 ipv4|6 ipv6|0 http1.0|http1.1|http2|http2-prior-knowledge|http3|compressed|basic|" +
  "keepalive|no-keepalive|keepalive-time=|tcp-nodelay|tcp-fastopen|connect-timeout=|1 tlsv1|tlsv1.0|tlsv1.1|tlsv1.2|tlsv1.3|tls-max=|ssl-reqd|path-as-is|q disable|M manual|" +
  "styled-output|no-styled-output|alpn|no-alpn|no-sessionid|expect100-timeout=|happy-eyeballs-timeout-ms=|proto-redir=|stderr=";

const refused: readonly (readonly [names: string, why: string])[] = [
  ["b cookie=|c cookie-jar=|j junk-session-cookies", "a browser lets no program see or set cookies"],
  ["C continue-at=", "downloads can't be continued here; leave the option out to load the file whole"],
  ["K config=|n netrc|netrc-file=|netrc-optional", "there are no settings files here; give the options themselves"],
  [
    "x proxy=|proxy-user=|socks5=|socks5-hostname=|preproxy=|noproxy=",
    "requests go out through the browser, which has its own proxy settings",
  ],
  ["E cert=|key=|cacert=|capath=|cert-type=|key-type=|pinnedpubkey=|ciphers=", "the browser alone looks after certificates"],
  ["digest|ntlm|negotiate|anyauth|aws-sigv4=", "only -u as Basic and --oauth2-bearer are there"],
  ["resolve=|connect-to=|interface=|dns-servers=|unix-socket=|abstract-unix-socket=|doh-url=", "the browser alone looks up hosts"],
  ["max-redirs=|post301|post302|post303", "the browser follows redirects by its own rules"],
  [": next", "it is not there; make it two commands"],
  [
    "limit-rate=|Y speed-limit=|y speed-time=|z time-cond=|R remote-time|etag-save=|etag-compare=|trace=|trace-ascii=|libcurl=|max-filesize=|rate=|raw|request-target=|a append|Q quote=|B use-ascii|xattr|form-escape|no-clobber|variable=|expand-url=",
    "it is not there",
  ],
];

interface Option {
  readonly short: string;
  readonly name: string;
  readonly takesValue: boolean;
  readonly why: string | null;
}

function read(list: string, why: string | null): Option[] {
  return list.split("|").map((text) => {
    const names = text.replace(/=$/, "").split(" ");
    return { short: names.length > 1 ? (names[0] ?? "") : "", name: names.at(-1) ?? "", takesValue: text.endsWith("="), why };
  });
}

const all = [...read(used, null), ...read(harmless, null), ...refused.flatMap(([list, why]) => read(list, why))];

const tryHelp = "curl: try 'curl --help' or 'curl --manual' for more information";

export function isWrong(value: object): value is Wrong {
  return "exitCode" in value && "message" in value;
}

export function parseCurl(args: readonly string[]): CurlOptions | Wrong {
  const given: Given[] = [];
  let onlyUrls = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (onlyUrls || !arg.startsWith("-") || arg === "-") given.push({ name: "url", value: arg });
    else if (arg === "--") onlyUrls = true;
    else if (arg.startsWith("--")) {
      const option = byName(arg.slice(2));
      if (option === "ambiguous") return wrong(`option ${arg}: is ambiguous`);
      if (option === null) return wrong(`option ${arg}: is unknown`);
      if (option.why !== null) return { exitCode: 2, message: `option ${arg}: ${option.why}` };
      if (option.takesValue && i + 1 >= args.length) return wrong(`option ${arg}: requires parameter`);
      given.push({ name: option.name, value: option.takesValue ? (args[++i] ?? "") : "" });
    } else {
      for (let at = 1; at < arg.length; at++) {
        const letter = arg.charAt(at);
        const option = all.find(({ short }) => short === letter);
        if (!option) return wrong(`option ${arg}: is unknown`);
        if (option.why !== null) return { exitCode: 2, message: `option -${letter}: ${option.why}` };
        if (!option.takesValue) {
          given.push({ name: option.name, value: "" });
          continue;
        }
        if (at + 1 >= arg.length && i + 1 >= args.length) return wrong(`option ${arg}: requires parameter`);
        given.push({ name: option.name, value: at + 1 < arg.length ? arg.slice(at + 1) : (args[++i] ?? "") });
        break;
      }
    }
  }
  const values = (name: string): string[] => given.filter((one) => one.name === name).map((one) => one.value);
  return {
    given,
    values,
    has: (name) => given.some((one) => one.name === name),
    value: (name) => values(name).at(-1) ?? null,
  };
}

function byName(name: string): Option | "ambiguous" | null {
  const exact = all.find((option) => option.name === name);
  if (exact) return exact;
  const close = name.length < 2 ? [] : all.filter((option) => option.name.startsWith(name));
  return close.length > 1 ? "ambiguous" : (close[0] ?? null);
}

function wrong(message: string): Wrong {
  return { exitCode: 2, message: `${message}\n${tryHelp}` };
}

export function help(): string {
  const rows = all
    .filter((option) => option.why === null)
    .map(({ short, name, takesValue }) => ` ${short === "" ? "   " : `-${short},`} --${name}${takesValue ? " <value>" : ""}\n`);
  return `Usage: curl [options...] <url>\nVibey's curl has these options:\n${rows.join("")}`;
}
