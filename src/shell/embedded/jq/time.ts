/** C's `struct tm` in WebAssembly: consecutive 32-bit numbers. The zone is UTC. */
export interface Fields {
  second: number;
  minute: number;
  hour: number;
  day: number;
  /** From 0. */
  month: number;
  year: number;
  weekday: number;
  yearDay: number;
}

export function fieldsOf(seconds: number): Fields {
  const at = new Date(seconds * 1000);
  return {
    second: at.getUTCSeconds(),
    minute: at.getUTCMinutes(),
    hour: at.getUTCHours(),
    day: at.getUTCDate(),
    month: at.getUTCMonth(),
    year: at.getUTCFullYear(),
    weekday: at.getUTCDay(),
    yearDay: Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / 86_400_000),
  };
}

export function secondsOf({ year, month, day, hour, minute, second }: Fields): number {
  return Date.UTC(year, month, day, hour, minute, second) / 1000;
}

const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const months = "january february march april may june july august september october november december".split(" ");
const whole: Readonly<Record<string, string>> = {
  T: "%H:%M:%S",
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  R: "%H:%M",
  r: "%I:%M:%S %p",
  c: "%a %b %e %H:%M:%S %Y",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
};

/** C's `strptime`. Returns the fields, and where the rest of the text begins; null: the text does not match. */
export function readTime(text: string, format: string, start: Fields): { readonly fields: Fields; readonly end: number } | null {
  const fields = { ...start };
  let at = 0;
  let isAfternoon: boolean | null = null;
  let hasDate = false;
  const pattern = format.replaceAll(/%([TDFRrcxX])/g, (all, letter: string) => whole[letter] ?? all);

  const number = (digits: number, least: number, most: number): number | null => {
    const [found = ""] = new RegExp(`^ *[+-]?\\d{1,${digits}}`).exec(text.slice(at)) ?? [];
    const value = Number(found);
    if (found === "" || value < least || value > most) return null;
    at += found.length;
    return value;
  };
  /** Matches a full name or its first three letters. */
  const name = (names: readonly string[]): number | null => {
    const rest = text.slice(at).toLowerCase();
    const index = names.findIndex((each) => rest.startsWith(each.slice(0, 3)));
    const full = names[index];
    if (full === undefined) return null;
    at += rest.startsWith(full) ? full.length : 3;
    return index;
  };

  for (let i = 0; i < pattern.length; i++) {
    const letter = pattern.charAt(i);
    if (/\s/.test(letter)) {
      while (/\s/.test(text.charAt(at))) at++;
      continue;
    }
    if (letter !== "%") {
      if (text.charAt(at) !== letter) return null;
      at++;
      continue;
    }
    const field = pattern.charAt(++i);
    let value: number | null = 0;
    switch (field) {
      case "Y":
        if ((value = number(4, 0, 9999)) !== null) fields.year = value;
        hasDate = true;
        break;
      case "y":
        if ((value = number(2, 0, 99)) !== null) fields.year = value + (value < 69 ? 2000 : 1900);
        hasDate = true;
        break;
      case "m":
        if ((value = number(2, 1, 12)) !== null) fields.month = value - 1;
        hasDate = true;
        break;
      case "b":
      case "B":
      case "h":
        if ((value = name(months)) !== null) fields.month = value;
        hasDate = true;
        break;
      case "d":
      case "e":
        if ((value = number(2, 1, 31)) !== null) fields.day = value;
        hasDate = true;
        break;
      case "H":
      case "k":
        if ((value = number(2, 0, 23)) !== null) fields.hour = value;
        break;
      case "I":
      case "l":
        if ((value = number(2, 1, 12)) !== null) fields.hour = value % 12;
        break;
      case "M":
        if ((value = number(2, 0, 59)) !== null) fields.minute = value;
        break;
      case "S":
        if ((value = number(2, 0, 60)) !== null) fields.second = value;
        break;
      case "j":
        if ((value = number(3, 1, 366)) !== null) fields.yearDay = value - 1;
        break;
      case "a":
      case "A":
        if ((value = name(days)) !== null) fields.weekday = value;
        break;
      case "w":
        if ((value = number(1, 0, 6)) !== null) fields.weekday = value;
        break;
      case "p": {
        const [half] = /^[ap]\.?m\.?/i.exec(text.slice(at)) ?? [];
        if (half === undefined) return null;
        isAfternoon = half.toLowerCase().startsWith("p");
        at += half.length;
        break;
      }
      case "s":
        if ((value = number(12, 0, 1e12)) !== null) Object.assign(fields, fieldsOf(value));
        break;
      case "z":
      case "Z": {
        // Parsed and ignored, as in glibc.
        const [zone] = (field === "z" ? /^(?:Z|[+-]\d\d:?(?:\d\d)?)/ : /^[A-Za-z]+/).exec(text.slice(at)) ?? [];
        if (zone === undefined) return null;
        at += zone.length;
        break;
      }
      case "n":
      case "t":
        while (/\s/.test(text.charAt(at))) at++;
        break;
      case "%":
        if (text.charAt(at) !== "%") return null;
        at++;
        break;
      default:
        return null;
    }
    if (value === null) return null;
  }
  if (isAfternoon === true) fields.hour += 12;
  if (hasDate) {
    const { weekday, yearDay } = fieldsOf(secondsOf(fields));
    Object.assign(fields, { weekday, yearDay });
  }
  return { fields, end: at };
}
