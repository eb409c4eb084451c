// Intl, as far as programs use it. The host does the work.
import { host } from "./host.js";
import { codeError } from "./errors.js";

const localesOf = (locales) => (locales === undefined ? undefined : Array.isArray(locales) ? locales.map(String) : [String(locales)]);

function ask(kind, locales, options, method, args) {
  try {
    return JSON.parse(
      host("intl", kind, JSON.stringify(localesOf(locales) ?? null), JSON.stringify(options ?? {}), method, JSON.stringify(args)),
    );
  } catch (error) {
    if (error.code !== "ERR_INVALID_ARG_VALUE") throw error;
    throw error instanceof TypeError ? new TypeError(error.message) : new RangeError(error.message);
  }
}

const number = (value) => (typeof value === "bigint" ? String(value) : Number.isFinite(Number(value)) ? Number(value) : null);
const time = (value) => (value === undefined ? Date.now() : value instanceof Date ? value.getTime() : Number(value));

class Format {
  constructor(kind, locales, options) {
    Object.defineProperty(this, "asked", { value: { kind, locales, options } });
    this.ask("resolvedOptions", []);
  }
  ask(method, args) {
    const { kind, locales, options } = this.asked;
    return ask(kind, locales, options, method, args);
  }
  resolvedOptions() {
    return this.ask("resolvedOptions", []);
  }
  static supportedLocalesOf(locales) {
    return ask("getCanonicalLocales", locales, {}, "", []);
  }
}
Object.defineProperty(Format.prototype, "ask", { enumerable: false });

const odd = (value) => (Number.isNaN(value) ? "NaN" : value === Infinity ? "∞" : value === -Infinity ? "-∞" : null);

const kinds = {
  NumberFormat: class NumberFormat extends Format {
    constructor(locales, options) {
      super("NumberFormat", locales, options);
    }
    get format() {
      return (value) => (typeof value === "number" ? odd(value) : null) ?? this.ask("format", [number(value)]);
    }
    formatToParts(value) {
      return this.ask("formatToParts", [number(value)]);
    }
  },
  DateTimeFormat: class DateTimeFormat extends Format {
    constructor(locales, options) {
      super("DateTimeFormat", locales, options);
    }
    get format() {
      return (value) => this.ask("format", [checked(time(value))]);
    }
    formatToParts(value) {
      return this.ask("formatToParts", [checked(time(value))]);
    }
    formatRange(from, to) {
      return this.ask("formatRange", [checked(time(from)), checked(time(to))]);
    }
  },
  Collator: class Collator extends Format {
    constructor(locales, options) {
      super("Collator", locales, options);
    }
    get compare() {
      return (a, b) => this.ask("compare", [String(a), String(b)]);
    }
  },
  PluralRules: class PluralRules extends Format {
    constructor(locales, options) {
      super("PluralRules", locales, options);
    }
    select(value) {
      return this.ask("select", [Number(value)]);
    }
  },
  RelativeTimeFormat: class RelativeTimeFormat extends Format {
    constructor(locales, options) {
      super("RelativeTimeFormat", locales, options);
    }
    format(value, unit) {
      return this.ask("format", [Number(value), unit]);
    }
    formatToParts(value, unit) {
      return this.ask("formatToParts", [Number(value), unit]);
    }
  },
  ListFormat: class ListFormat extends Format {
    constructor(locales, options) {
      super("ListFormat", locales, { ...options });
    }
    resolvedOptions() {
      return { locale: "en-US", type: "conjunction", style: "long", ...this.asked.options };
    }
    ask(method, args) {
      return method === "resolvedOptions" ? this.resolvedOptions() : super.ask(method, args);
    }
    format(list) {
      return this.ask("format", [[...list]]);
    }
    formatToParts(list) {
      return this.ask("formatToParts", [[...list]]);
    }
  },
  Segmenter: class Segmenter extends Format {
    constructor(locales, options) {
      super("Segmenter", locales, options);
    }
    ask(method, args) {
      return method === "resolvedOptions" ? { locale: "en-US", granularity: "grapheme", ...this.asked.options } : super.ask(method, args);
    }
    segment(text) {
      const segments = this.ask("segment", [String(text)]);
      return {
        [Symbol.iterator]: () => segments[Symbol.iterator](),
        containing: (at = 0) => segments.findLast(({ index }) => index <= at),
      };
    }
  },
  DisplayNames: class DisplayNames extends Format {
    constructor(locales, options) {
      super("DisplayNames", locales, options);
    }
    ask(method, args) {
      return method === "resolvedOptions" ? { locale: "en-US", ...this.asked.options } : super.ask(method, args);
    }
    of(code) {
      return this.ask("of", [String(code)]) ?? undefined;
    }
  },
};

function checked(value) {
  if (Number.isNaN(value)) throw new RangeError("Invalid time value");
  return value;
}

export function installIntl() {
  const Intl = {};
  for (const [name, kind] of Object.entries(kinds)) {
    // Also callable without `new`.
    const both = function (...args) {
      return new kind(...args);
    };
    both.prototype = kind.prototype;
    both.supportedLocalesOf = Format.supportedLocalesOf;
    Object.defineProperty(both, "name", { value: name });
    Object.defineProperty(kind.prototype, "constructor", { value: both, configurable: true });
    Object.defineProperty(kind.prototype, Symbol.toStringTag, { value: `Intl.${name}`, configurable: true });
    Object.defineProperty(Intl, name, { value: both, writable: true, configurable: true });
  }
  Object.defineProperty(Intl, "getCanonicalLocales", {
    value: (locales) => (locales === undefined ? [] : ask("getCanonicalLocales", locales, {}, "", [])),
    configurable: true,
  });
  Object.defineProperty(Intl, "supportedValuesOf", {
    value: (key) => ask("supportedValuesOf", undefined, {}, "", [key]),
    configurable: true,
  });
  Object.defineProperty(Intl, "Locale", {
    configurable: true,
    get() {
      throw codeError(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", "Intl.Locale is not here");
    },
  });
  Object.defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });
  Object.defineProperty(globalThis, "Intl", { value: Intl, writable: true, configurable: true });

  const replace = (owner, name, method) => Object.defineProperty(owner, name, { value: method, writable: true, configurable: true });
  const dates = (defaults, needed) =>
    function (locales, options = {}) {
      if (Number.isNaN(this.getTime())) return "Invalid Date";
      const given = needed.some((key) => options?.[key] !== undefined) ? options : { ...defaults, ...options };
      return new kinds.DateTimeFormat(locales, given).format(this);
    };
  const day = { year: "numeric", month: "numeric", day: "numeric" };
  const clock = { hour: "numeric", minute: "numeric", second: "numeric" };
  const dateParts = ["weekday", "year", "month", "day", "dateStyle"];
  const timeParts = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits", "timeStyle"];
  replace(Date.prototype, "toLocaleString", dates({ ...day, ...clock }, [...dateParts, ...timeParts]));
  replace(Date.prototype, "toLocaleDateString", dates(day, dateParts));
  replace(Date.prototype, "toLocaleTimeString", dates(clock, timeParts));
  replace(Number.prototype, "toLocaleString", function (locales, options) {
    return new kinds.NumberFormat(locales, options).format(Number(this));
  });
  replace(BigInt.prototype, "toLocaleString", function (locales, options) {
    return new kinds.NumberFormat(locales, options).format(BigInt(this));
  });
  replace(Array.prototype, "toLocaleString", function (...args) {
    return Array.from(this, (value) => (value === null || value === undefined ? "" : value.toLocaleString(...args))).join(",");
  });
  const plain = /^[\x20-\x7e]*$/;
  replace(String.prototype, "localeCompare", function (other, locales, options) {
    const text = String(this);
    const against = String(other);
    if (text === against) return 0;
    // Most names consist of letters and digits only, and asking the host takes longer than comparing them.
    if (locales === undefined && options === undefined && /^[a-z0-9]*$/.test(text) && /^[a-z0-9]*$/.test(against)) {
      return text < against ? -1 : 1;
    }
    return new kinds.Collator(locales, options).compare(text, against);
  });
  for (const [name, kind] of [
    ["toLocaleLowerCase", "lower"],
    ["toLocaleUpperCase", "upper"],
  ])
    replace(String.prototype, name, function (locales) {
      const text = String(this);
      return plain.test(text) && locales === undefined
        ? kind === "lower"
          ? text.toLowerCase()
          : text.toUpperCase()
        : ask(kind, locales, {}, "", [text]);
    });
}
