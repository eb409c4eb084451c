import { type State, Unsupported } from "./state.ts";

export const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** The options that every pattern allows. */
export const patternFlags = "msixop";

/** A program's text, and the current position in it. */
export abstract class Lexer {
  protected at = 0;
  protected readonly source: string;
  protected readonly state: State;

  constructor(source: string, state: State) {
    this.source = source;
    this.state = state;
  }

  protected fail(): never {
    const rest = this.source.slice(this.at).trim().slice(0, 30);
    throw new Unsupported(rest === "" ? "a program that ends there" : `'${rest.split("\n", 1)[0] ?? ""}'`);
  }

  protected space(): void {
    for (;;) {
      const [found = ""] = /^(?:\s+|#[^\n]*)/.exec(this.source.slice(this.at)) ?? [];
      if (found === "") return;
      this.at += found.length;
    }
  }

  protected peek(pattern: RegExp): string | null {
    this.space();
    return pattern.exec(this.source.slice(this.at))?.[0] ?? null;
  }

  protected take(text: string): boolean {
    this.space();
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  protected takeWord(...words: readonly string[]): string | null {
    const found = this.peek(/^[A-Za-z_]\w*/);
    if (found === null || !words.includes(found) || /^\s*=>/.test(this.source.slice(this.at + found.length))) return null;
    this.at += found.length;
    return found;
  }

  protected expect(text: string): void {
    if (!this.take(text)) this.fail();
  }

  /** The option letters after a pattern; `allowed` are the supported ones. */
  protected flags(allowed: string): string {
    const [found = ""] = /^[a-zA-Z]+/.exec(this.source.slice(this.at)) ?? [];
    for (const letter of found) if (!allowed.includes(letter)) throw new Unsupported(`the option ${letter} of a pattern`);
    if (found.includes("xx")) throw new Unsupported("the option xx of a pattern");
    this.at += found.length;
    return found;
  }

  /** Reads from one delimiter to the other. */
  protected delimited(): string {
    const open = this.source.charAt(this.at);
    const close = closers[open] ?? open;
    let depth = 1;
    let at = this.at + 1;
    for (; at < this.source.length; at++) {
      const letter = this.source.charAt(at);
      if (letter === "\\") at++;
      else if (letter === close && --depth === 0) break;
      else if (letter === open && close !== open) depth++;
    }
    if (at >= this.source.length) throw new Unsupported(`a text without its end: ${this.source.slice(this.at, this.at + 20)}`);
    const body = this.source.slice(this.at + 1, at);
    this.at = at + 1;
    return body;
  }
}

/** An escaped delimiter that has no meaning of its own stands for itself. */
export function unescaped(body: string, open: string): string {
  const close = closers[open] ?? open;
  if (/[\w\s]/.test(open) || "/|.*+?()[]{}^$".includes(open)) return open === "/" ? body.replaceAll("\\/", "/") : body;
  return body.replaceAll(`\\${open}`, () => open).replaceAll(`\\${close}`, () => close);
}
