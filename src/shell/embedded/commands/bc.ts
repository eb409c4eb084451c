import { type Answer, type Context, failed, stdinText } from "./answer.ts";
import { readInput } from "./files.ts";

/** The maximum size of a power in bits. A larger one takes minutes, during which nothing can stop it. */
const mostBits = 10_000_000;

/** A number with `scale` decimal places. */
interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** A feature of bc that is missing here, or an error in the text. */
class Fault extends Error {
  override readonly name = "Fault";
}

/** bc's calculator: numbers of any length, `scale`, `ibase`, `obase`, variables, comparisons, `sqrt` and `length`. No statements or functions. */
export async function bc(args: readonly string[], context: Context): Promise<Answer> {
  const session = new Session();
  let text = "";
  for (const arg of args) {
    if (/^(?:-l|--mathlib)$/.test(arg)) session.scale = 20;
    else if (/^-[qsw]+$|^--(?:quiet|standard|warn)$/.test(arg)) continue;
    else if (arg.startsWith("-")) return failed("bc", `the option ${arg} is not supported here`);
    else {
      const read = await readInput(context, arg);
      if (!read.ok) return failed("bc", `File ${arg} is unavailable.`);
      text += `${new TextDecoder().decode(read.bytes)}\n`;
    }
  }
  text += stdinText(context);
  let stdout = "";
  let stderr = "";
  for (const line of text
    .replaceAll(/\/\*[^]*?\*\//g, " ")
    .replaceAll("\\\n", "")
    .split(/[;\n]/)) {
    const source = line.replace(/#.*$/, "").trim();
    if (source === "") continue;
    if (/^(?:quit|halt)$/.test(source)) break;
    try {
      stdout += session.run(source);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      stderr += `${error.message}\n`;
    }
  }
  return { stdout, stderr };
}

const tokens =
  /\s*(\d+\.?\d*|\.\d+|[A-F][0-9A-F]*(?:\.[0-9A-F]*)?|\d[0-9A-F]*|[a-z][a-z0-9_]*|\+\+|--|[-+*/%^<>=!]=|&&|\|\||[-+*/%^()<>=!,]|"[^"]*")/y;

class Session {
  scale = 0;
  private ibase = 10;
  private obase = 10;
  private readonly variables = new Map<string, Decimal>();
  private words: string[] = [];
  private at = 0;

  /** Runs a statement and returns its output. */
  run(source: string): string {
    if (source.startsWith('"')) return source.replace(/^"([^]*)"$/, "$1");
    if (/^print\b/.test(source)) return this.print(source.slice(5));
    if (/^(?:if|while|for|define|auto|return|read|break|continue)\b|[{}[\]]/.test(source))
      throw new Fault("bc: statements, functions and arrays are not supported here: use awk, python3 or node");
    this.words = wordsOf(source);
    this.at = 0;
    const isAssignment = /^\s*[a-z_]\w*\s*(?:[-+*/%^]?=)(?!=)/.test(source);
    const value = this.comparison();
    if (this.at < this.words.length) throw new Fault("(standard_in) 1: syntax error");
    if (isAssignment) return "";
    this.variables.set("last", value);
    return `${this.shown(value)}\n`;
  }

  private print(source: string): string {
    return source
      .split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
      .map((part) => {
        const text = /^\s*"([^]*)"\s*$/.exec(part)?.[1];
        if (text !== undefined) return text.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
        this.words = wordsOf(part);
        this.at = 0;
        return this.shown(this.comparison());
      })
      .join("");
  }

  private take(...wanted: readonly string[]): string | null {
    const word = this.words[this.at];
    if (word === undefined || !wanted.includes(word)) return null;
    this.at++;
    return word;
  }

  private comparison(): Decimal {
    let left = this.both();
    while (this.take("||") !== null) {
      const right = this.both();
      left = truth(left.units !== 0n || right.units !== 0n);
    }
    return left;
  }

  private both(): Decimal {
    let left = this.not();
    while (this.take("&&") !== null) {
      const right = this.not();
      left = truth(left.units !== 0n && right.units !== 0n);
    }
    return left;
  }

  private not(): Decimal {
    return this.take("!") === null ? this.relation() : truth(this.not().units === 0n);
  }

  private relation(): Decimal {
    let left = this.sum();
    for (let sign = this.take("==", "!=", "<", ">", "<=", ">="); sign !== null; sign = this.take("==", "!=", "<", ">", "<=", ">=")) {
      const [a, b] = aligned(left, this.sum());
      const holds = { "==": a === b, "!=": a !== b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b }[sign];
      left = truth(holds === true);
    }
    return left;
  }

  private sum(): Decimal {
    let left = this.product();
    for (let sign = this.take("+", "-"); sign !== null; sign = this.take("+", "-")) {
      const right = this.product();
      const [a, b, scale] = aligned(left, right);
      left = { units: sign === "+" ? a + b : a - b, scale };
    }
    return left;
  }

  private product(): Decimal {
    let left = this.power();
    for (let sign = this.take("*", "/", "%"); sign !== null; sign = this.take("*", "/", "%")) {
      const right = this.power();
      left = sign === "*" ? this.times(left, right) : sign === "/" ? this.divided(left, right) : this.remainder(left, right);
    }
    return left;
  }

  private times(a: Decimal, b: Decimal): Decimal {
    const full = a.scale + b.scale;
    return rescaled({ units: a.units * b.units, scale: full }, Math.min(full, Math.max(this.scale, a.scale, b.scale)));
  }

  private divided(a: Decimal, b: Decimal): Decimal {
    if (b.units === 0n) throw new Fault("Runtime error (func=(main), adr=3): Divide by zero");
    const power = this.scale + b.scale - a.scale;
    const units = power >= 0 ? (a.units * 10n ** BigInt(power)) / b.units : a.units / (b.units * 10n ** BigInt(-power));
    return { units, scale: this.scale };
  }

  private remainder(a: Decimal, b: Decimal): Decimal {
    const product = { units: this.divided(a, b).units * b.units, scale: this.scale + b.scale };
    const [left, right, scale] = aligned(a, product);
    return rescaled({ units: left - right, scale }, Math.max(this.scale + b.scale, a.scale));
  }

  /** Negation binds more tightly than a power. */
  private negated(): Decimal {
    if (this.take("-") === null) return this.atom();
    const { units, scale } = this.negated();
    return { units: -units, scale };
  }

  private power(): Decimal {
    const base = this.negated();
    if (this.take("^") === null) return base;
    const { units, scale } = this.power();
    const exponent = Number(units / 10n ** BigInt(scale));
    if (Math.abs(exponent) > 100_000) throw new Fault("Runtime error (func=(main), adr=3): exponent too large in raise");
    if (base.units.toString(16).length * 4 * Math.abs(exponent) > mostBits)
      throw new Fault("Runtime error (func=(main), adr=3): exponent too large in raise");
    const full = base.scale * Math.abs(exponent);
    const raised = rescaled(
      { units: base.units ** BigInt(Math.abs(exponent)), scale: full },
      exponent < 0 ? full : Math.min(full, Math.max(this.scale, base.scale)),
    );
    return exponent < 0 ? this.divided(whole(1n), raised) : raised;
  }

  private atom(): Decimal {
    const word = this.words[this.at++];
    if (word === undefined) throw new Fault("(standard_in) 1: syntax error");
    if (word === "(") {
      const inner = this.comparison();
      if (this.take(")") === null) throw new Fault("(standard_in) 1: syntax error");
      return inner;
    }
    if (/^[\d.A-F]/.test(word)) return this.number(word);
    if (!/^[a-z]/.test(word)) throw new Fault("(standard_in) 1: syntax error");
    if (this.words[this.at] === "(") return this.call(word);
    const sign = this.take("=", "+=", "-=", "*=", "/=", "%=", "^=");
    if (sign === null) {
      const step = this.take("++", "--");
      const value = this.valueOf(word);
      if (step !== null) this.assign(word, { ...value, units: value.units + (step === "++" ? 1n : -1n) * 10n ** BigInt(value.scale) });
      return value;
    }
    const right = this.comparison();
    const left = this.valueOf(word);
    const [a, b, scale] = aligned(left, right);
    const value =
      { "+=": { units: a + b, scale }, "-=": { units: a - b, scale } }[sign] ??
      (sign === "*="
        ? this.times(left, right)
        : sign === "/="
          ? this.divided(left, right)
          : sign === "%="
            ? this.remainder(left, right)
            : right);
    this.assign(word, value);
    return value;
  }

  private valueOf(name: string): Decimal {
    const own = { scale: this.scale, ibase: this.ibase, obase: this.obase }[name];
    return own === undefined ? (this.variables.get(name) ?? whole(0n)) : whole(BigInt(own));
  }

  private assign(name: string, value: Decimal): void {
    const number = Number(value.units / 10n ** BigInt(value.scale));
    if (name === "scale") this.scale = Math.min(1_000, Math.max(0, number));
    else if (name === "ibase") this.ibase = Math.min(16, Math.max(2, number));
    else if (name === "obase") this.obase = Math.max(2, number);
    else this.variables.set(name, value);
  }

  private call(name: string): Decimal {
    this.at++;
    const value = this.comparison();
    if (this.take(")") === null) throw new Fault("(standard_in) 1: syntax error");
    if (name === "sqrt") {
      const scale = Math.max(this.scale, value.scale);
      if (value.units < 0n) throw new Fault("Runtime error (func=(main), adr=3): Square root of a negative number");
      return { units: root(rescaled(value, 2 * scale).units), scale };
    }
    if (name === "length") return whole(BigInt(Math.max(value.scale, String(value.units).replace("-", "").length)));
    if (name === "scale") return whole(BigInt(value.scale));
    throw new Fault(`bc: the function ${name} is not supported here: use awk, python3 or node`);
  }

  private number(word: string): Decimal {
    const [before = "", after = ""] = word.split(".");
    if (this.ibase === 10 && /[A-F]/.test(word)) throw new Fault("bc: digits above 9 of the base 10 are not supported here: use python3");
    if (this.ibase === 10) return { units: BigInt(`${before}${after}` || "0"), scale: after.length };
    if (after !== "") throw new Fault("bc: fractions of another base are not supported here: use python3");
    const digits = Array.from(before).map((digit) => BigInt(Math.min(Number.parseInt(digit, 16), before.length > 1 ? this.ibase - 1 : 15)));
    return whole(digits.reduce((sum, digit) => sum * BigInt(this.ibase) + digit, 0n));
  }

  private shown({ units, scale }: Decimal): string {
    const sign = units < 0n ? "-" : "";
    const positive = units < 0n ? -units : units;
    if (this.obase !== 10) {
      const integer = positive / 10n ** BigInt(scale);
      if (integer * 10n ** BigInt(scale) !== positive) throw new Fault("bc: fractions of another base are not supported here: use python3");
      if (this.obase > 16) throw new Fault("bc: an obase above 16 is not supported here: use python3");
      return sign + integer.toString(this.obase).toUpperCase();
    }
    const digits = String(positive).padStart(scale + 1, "0");
    if (scale === 0) return broken(sign + digits);
    const integer = digits.slice(0, -scale);
    return positive === 0n ? "0" : broken(`${sign}${integer === "0" ? "" : integer}.${digits.slice(-scale)}`);
  }
}

function wordsOf(source: string): string[] {
  const words: string[] = [];
  tokens.lastIndex = 0;
  let end = 0;
  for (let found = tokens.exec(source); found !== null; found = tokens.exec(source)) {
    words.push(found[1] ?? "");
    end = tokens.lastIndex;
  }
  if (source.slice(end).trim() !== "") throw new Fault("(standard_in) 1: syntax error");
  return words;
}

const truth = (holds: boolean): Decimal => whole(holds ? 1n : 0n);
const whole = (units: bigint): Decimal => ({ units, scale: 0 });

function rescaled({ units, scale }: Decimal, to: number): Decimal {
  return { units: to >= scale ? units * 10n ** BigInt(to - scale) : units / 10n ** BigInt(scale - to), scale: to };
}

function aligned(a: Decimal, b: Decimal): readonly [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  return [rescaled(a, scale).units, rescaled(b, scale).units, scale];
}

/** The integer part of the square root. */
function root(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (let next = (guess + value / guess) / 2n; next < guess; next = (guess + value / guess) / 2n) guess = next;
  return guess;
}

/** Splits long numbers across lines, as bc prints them. */
function broken(text: string): string {
  return text.length <= 69 ? text : (text.match(/.{1,68}/g) ?? []).join("\\\n");
}
