import type { Zone } from "../../zone.ts";
import { recordReader, type RecordReader, splitAt, splitFields } from "./records.ts";
import { mostBytes, sizeOf } from "./size.ts";
import { type AwkArray, fromInput, toNumber, toText, type Value } from "./values.ts";

/** A runtime error of the program; awk ends with exit code 2. */
export class AwkError extends Error {}

/** A program's access to what is outside. In texts, bytes that are not UTF-8 are lone surrogates. */
export interface AwkWorld {
  /** Null: the file can't be read. */
  read(path: string): Promise<string | null>;
  /** Replaces, creates or appends to a file. Returns why it failed, or null. */
  write(path: string, text: string, append: boolean): Promise<string | null>;
  run(command: string, input: string): Promise<{ readonly stdout: string; readonly exitCode: number }>;
  stdin(): string;
  print(text: string): void;
  complain(text: string): void;
  readonly zone: Zone;
  now(): number;
  /** Throws if the program must stop. */
  checkpoint(): void;
}

const scalars = [
  "NR",
  "FNR",
  "FS",
  "OFS",
  "ORS",
  "RS",
  "FILENAME",
  "SUBSEP",
  "RSTART",
  "RLENGTH",
  "CONVFMT",
  "OFMT",
  "RT",
  "FPAT",
  "IGNORECASE",
  "ARGC",
] as const;
export type Special = (typeof scalars)[number];

/** The state of a program: its variables, the record and its fields, its input and its output. */
export class Runtime {
  readonly world: AwkWorld;
  readonly variables = new Map<string, { value: Value }>();
  readonly arrays = new Map<string, AwkArray>();
  /** The variables of the running functions. An array that is passed on appears in several of them. */
  readonly frames: (readonly (Value | AwkArray)[])[] = [];
  private record = "";
  private fields: Value[] | null = null;
  private isRecordOld = false;
  private readonly fieldSeparator = this.variable("FS");
  /** FS when the record was read. A later change of FS applies to the next record. */
  private separator: Value;
  /** The files and commands that are being read, by name. */
  private readonly readers = new Map<string, RecordReader>();
  private readonly outputs = new Map<string, { readonly kind: ">" | "|"; text: string; isNew: boolean }>();
  private main: RecordReader | null = null;
  private argument = 0;
  private hasRead = false;
  private steps = 0;

  constructor(world: AwkWorld) {
    this.world = world;
    for (const name of scalars) this.variable(name);
    const start: Readonly<Partial<Record<Special, Value>>> = {
      NR: 0,
      FNR: 0,
      FS: " ",
      OFS: " ",
      ORS: "\n",
      RS: "\n",
      SUBSEP: "\u001c",
      RSTART: 0,
      RLENGTH: -1,
      CONVFMT: "%.6g",
      OFMT: "%.6g",
    };
    for (const [name, value] of Object.entries(start)) this.variable(name).value = value;
  }

  variable(name: string): { value: Value } {
    const known = this.variables.get(name);
    if (known) return known;
    const made = { value: undefined };
    this.variables.set(name, made);
    return made;
  }
  array(name: string): AwkArray {
    const known = this.arrays.get(name);
    if (known) return known;
    const made: AwkArray = new Map();
    this.arrays.set(name, made);
    return made;
  }
  special(name: Special): string {
    return toText(this.variable(name).value, "%.6g");
  }
  text(value: Value): string {
    return typeof value === "string" ? value : toText(value, this.special("CONVFMT"));
  }
  flags(): string {
    return toNumber(this.variable("IGNORECASE").value) === 0 ? "" : "i";
  }
  /** Called for every step; checks now and then whether the program must stop. */
  step(): void {
    if ((++this.steps & 4095) !== 0) return;
    this.world.checkpoint();
    if ((this.steps & 65_535) === 0 && this.size() > mostBytes)
      throw new AwkError(`the variables take more than ${mostBytes / 1_000_000} MB`);
  }

  private size(): number {
    const values = Array.from(this.variables.values(), ({ value }) => value);
    const arrays = new Set(this.arrays.values());
    for (const value of this.frames.flat()) {
      if (value instanceof Map) arrays.add(value);
      else values.push(value);
    }
    return sizeOf(values, arrays);
  }

  setRecord(text: string): void {
    this.record = text;
    this.separator = this.fieldSeparator.value;
    this.fields = null;
    this.isRecordOld = false;
  }
  private split(): Value[] {
    if (this.fields !== null) return this.fields;
    const [separator, pattern] = [toText(this.separator, "%.6g"), this.special("FPAT")];
    const isParagraph = this.special("RS") === "";
    const parts =
      pattern !== ""
        ? (this.record.match(new RegExp(pattern, "gsu")) ?? [])
        : separator !== " " && separator.length > 1
          ? splitAt(this.record, separator)
          : splitFields(this.record, separator, isParagraph && separator !== " ");
    this.fields = parts.map(fromInput);
    return this.fields;
  }
  field(index: number): Value {
    if (index === 0) {
      if (this.isRecordOld) {
        const ofs = this.special("OFS");
        this.record = (this.fields ?? []).map((field) => this.text(field)).join(ofs);
        this.isRecordOld = false;
      }
      return fromInput(this.record);
    }
    if (index < 0) throw new AwkError(`attempt to access field ${index}`);
    return this.split()[index - 1] ?? "";
  }
  setField(index: number, value: Value): void {
    if (index === 0) return this.setRecord(this.text(value));
    if (index < 0) throw new AwkError(`attempt to access field ${index}`);
    const fields = this.split();
    while (fields.length < index - 1) fields.push("");
    fields[index - 1] = value;
    this.isRecordOld = true;
  }
  count(): number {
    return this.split().length;
  }
  setCount(count: number): void {
    if (count < 0) throw new AwkError("NF set to negative value");
    const fields = this.split();
    while (fields.length < count) fields.push("");
    fields.length = count;
    this.isRecordOld = true;
  }

  /** Reads the next record of the input; null at the end. */
  async nextRecord(): Promise<string | null> {
    for (;;) {
      const found = this.main?.next(this.special("RS"));
      if (found) {
        this.variable("RT").value = found.end;
        this.variable("NR").value = toNumber(this.variable("NR").value) + 1;
        this.variable("FNR").value = toNumber(this.variable("FNR").value) + 1;
        return found.record;
      }
      if (!(await this.openNext())) return null;
    }
  }
  /** The same if no other file must be opened; undefined if one must. */
  nextRecordNow(): string | null | undefined {
    if (this.main === null) return undefined;
    const found = this.main.next(this.special("RS"));
    if (found === null) return undefined;
    this.variable("RT").value = found.end;
    this.variable("NR").value = toNumber(this.variable("NR").value) + 1;
    this.variable("FNR").value = toNumber(this.variable("FNR").value) + 1;
    return found.record;
  }
  nextFile(): void {
    this.main = { next: () => null };
  }
  private async openNext(): Promise<boolean> {
    const argv = this.array("ARGV");
    while (++this.argument < toNumber(this.variable("ARGC").value)) {
      const operand = this.text(argv.get(String(this.argument)));
      if (operand === "") continue;
      const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(operand);
      if (assignment) {
        this.assign(assignment[1] ?? "", assignment[2] ?? "");
        continue;
      }
      const text = operand === "-" || operand === "/dev/stdin" ? this.world.stdin() : await this.world.read(operand);
      this.hasRead = true;
      if (text === null) {
        this.world.complain(`awk: cannot open ${operand} (No such file or directory)\n`);
        this.failedToOpen = true;
        continue;
      }
      this.begin(text, operand);
      return true;
    }
    if (this.hasRead) return false;
    this.hasRead = true;
    this.begin(this.world.stdin(), "");
    return true;
  }
  failedToOpen = false;
  private begin(text: string, name: string): void {
    this.main = recordReader(text);
    this.variable("FILENAME").value = name;
    this.variable("FNR").value = 0;
  }
  /** `-v name=value`, and assignments between the files. */
  assign(name: string, value: string): void {
    const given = fromInput(value);
    if (name === "NF") this.setCount(toNumber(given));
    else this.variable(name).value = given;
  }

  async readerOf(kind: "file" | "command", name: string): Promise<RecordReader | null> {
    const key = `${kind} ${name}`;
    const known = this.readers.get(key);
    if (known) return known;
    let text: string | null;
    if (kind === "command") {
      await this.flush();
      text = (await this.world.run(name, "")).stdout;
    } else {
      await this.closeOutput(name);
      text = name === "-" || name === "/dev/stdin" ? this.world.stdin() : await this.world.read(name);
    }
    if (text === null) return null;
    const made = recordReader(text);
    this.readers.set(key, made);
    return made;
  }

  write(kind: ">" | ">>" | "|", target: string, text: string): void {
    if (kind !== "|" && (target === "/dev/stdout" || target === "-")) return this.world.print(text);
    if (kind !== "|" && target === "/dev/stderr") return this.world.complain(text);
    const known = this.outputs.get(target);
    if (known) known.text += text;
    else this.outputs.set(target, { kind: kind === "|" ? "|" : ">", text, isNew: kind === ">" });
  }
  private async closeOutput(name: string): Promise<number> {
    const output = this.outputs.get(name);
    if (output === undefined) return -1;
    this.outputs.delete(name);
    if (output.kind === "|") {
      const done = await this.world.run(name, output.text);
      this.world.print(done.stdout);
      return done.exitCode;
    }
    const why = await this.world.write(name, output.text, !output.isNew);
    if (why !== null) throw new AwkError(`can't redirect to ${name}: ${why}`);
    return 0;
  }
  /** Writes the collected output to its files. */
  async flush(): Promise<void> {
    for (const [name, output] of this.outputs) {
      if (output.kind === "|" || (output.text === "" && !output.isNew)) continue;
      const why = await this.world.write(name, output.text, !output.isNew);
      if (why !== null) throw new AwkError(`can't redirect to ${name}: ${why}`);
      output.text = "";
      output.isNew = false;
    }
  }
  async close(name: string): Promise<number> {
    const isRead = [`file ${name}`, `command ${name}`].map((key) => this.readers.delete(key)).includes(true);
    const code = await this.closeOutput(name);
    return isRead && code < 0 ? 0 : code;
  }
  async closeAll(): Promise<void> {
    for (const name of Array.from(this.outputs.keys())) await this.closeOutput(name);
  }
}
