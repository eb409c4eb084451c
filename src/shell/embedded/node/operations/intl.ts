import { InsideError, type Operations, text } from "../plain.ts";

/** Uses the platform's own Intl. Questions and answers are JSON, with numbers and dates as plain values. */
function perform(kind: string, locales: string[] | undefined, options: object, method: string, args: unknown[]): unknown {
  const date = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
  switch (kind) {
    case "NumberFormat": {
      const format = new Intl.NumberFormat(locales, options);
      const [value] = args;
      const given = typeof value === "string" ? BigInt(value) : Number(value);
      if (method === "format") return format.format(given);
      if (method === "formatToParts") return format.formatToParts(given);
      return format.resolvedOptions();
    }
    case "DateTimeFormat": {
      const format = new Intl.DateTimeFormat(locales, { timeZone: "UTC", ...options });
      if (method === "format") return format.format(date(args[0]));
      if (method === "formatToParts") return format.formatToParts(date(args[0]));
      if (method === "formatRange") return format.formatRange(Number(args[0]), Number(args[1]));
      return format.resolvedOptions();
    }
    case "Collator": {
      const collator = new Intl.Collator(locales, options);
      return method === "compare" ? collator.compare(String(args[0]), String(args[1])) : collator.resolvedOptions();
    }
    case "PluralRules": {
      const rules = new Intl.PluralRules(locales, options);
      return method === "select" ? rules.select(Number(args[0])) : rules.resolvedOptions();
    }
    case "RelativeTimeFormat": {
      const format = new Intl.RelativeTimeFormat(locales, options);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform itself rejects an unknown unit.
      const unit = String(args[1]) as Intl.RelativeTimeFormatUnit;
      if (method === "format") return format.format(Number(args[0]), unit);
      if (method === "formatToParts") return format.formatToParts(Number(args[0]), unit);
      return format.resolvedOptions();
    }
    case "ListFormat": {
      const format = new Intl.ListFormat(locales, options);
      const list = Array.isArray(args[0]) ? args[0].map(String) : [];
      return method === "format" ? format.format(list) : format.formatToParts(list);
    }
    case "Segmenter": {
      const segmenter = new Intl.Segmenter(locales, options);
      return [...segmenter.segment(String(args[0]))];
    }
    case "DisplayNames": {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform itself rejects options without a type.
      const names = new Intl.DisplayNames(locales, options as Intl.DisplayNamesOptions);
      return names.of(String(args[0])) ?? null;
    }
    case "getCanonicalLocales":
      return Intl.getCanonicalLocales(locales);
    case "supportedValuesOf":
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform itself rejects an unknown key.
      return Intl.supportedValuesOf(String(args[0]) as "unit");
    case "lower":
      return String(args[0]).toLocaleLowerCase(locales);
    case "upper":
      return String(args[0]).toLocaleUpperCase(locales);
    default:
      throw new InsideError("ERR_INTERNAL_ASSERTION", `Intl.${kind} is not here`);
  }
}

export const intlOperations: Operations = {
  intl: (kind, locales, options, method, args) => {
    const where: unknown = JSON.parse(text(locales));
    const how: unknown = JSON.parse(text(options));
    const what: unknown = JSON.parse(text(args));
    try {
      return JSON.stringify(
        perform(
          text(kind),
          Array.isArray(where) ? where.map(String) : ["en-US"],
          typeof how === "object" && how !== null ? how : {},
          text(method),
          Array.isArray(what) ? what : [],
        ),
      );
    } catch (error) {
      if (error instanceof InsideError) throw error;
      throw new InsideError(
        "ERR_INVALID_ARG_VALUE",
        error instanceof Error ? error.message : String(error),
        error instanceof TypeError ? "TypeError" : "RangeError",
      );
    }
  },
};
