import { codeError } from "./errors.js";

const fail = (code, message) => codeError(TypeError, code, message);

/** Node's `util.parseArgs`. */
export function parseArgs(config = {}) {
  const { args = process.argv.slice(2), options = {}, strict = true, allowPositionals = !strict, tokens: withTokens = false } = config;
  const values = Object.create(null);
  const positionals = [];
  const tokens = [];
  const byShort = new Map(Object.entries(options).flatMap(([name, option]) => (option.short ? [[option.short, name]] : [])));

  const store = (name, value) => {
    const option = options[name];
    if (option?.multiple) (values[name] ??= []).push(value);
    else values[name] = value;
  };

  const check = (name, raw, value) => {
    const option = options[name];
    if (!strict) return;
    if (option === undefined) {
      const hint = allowPositionals
        ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- "${raw}"`
        : "";
      throw fail("ERR_PARSE_ARGS_UNKNOWN_OPTION", `Unknown option '${raw}'${hint}`);
    }
    const shown = `${option.short ? `-${option.short}, ` : ""}--${name}`;
    if (option.type === "string" && typeof value !== "string")
      throw fail("ERR_PARSE_ARGS_INVALID_OPTION_VALUE", `Option '${shown} <value>' argument missing`);
    if (option.type === "boolean" && value !== undefined)
      throw fail("ERR_PARSE_ARGS_INVALID_OPTION_VALUE", `Option '${shown}' does not take an argument`);
  };

  const take = (name, raw, value, index, inline) => {
    check(name, raw, value);
    tokens.push({ kind: "option", name, rawName: raw, index, value, inlineValue: value === undefined ? undefined : inline });
    store(name, value ?? true);
  };

  const ambiguous = (name, raw, value) => {
    if (strict && value.length > 1 && value.startsWith("-")) {
      const option = options[name];
      const shown = `${option?.short ? `-${option.short}, ` : ""}--${name}`;
      const example = raw.startsWith("--") ? `'--${name}=-XYZ'` : `'--${name}=-XYZ' or '-${option.short}-XYZ'`;
      throw fail(
        "ERR_PARSE_ARGS_INVALID_OPTION_VALUE",
        `Option '${raw.startsWith("--") ? raw : shown}' argument is ambiguous.\nDid you forget to specify the option argument for '${raw}'?\nTo specify an option argument starting with a dash use ${example}.`,
      );
    }
  };

  for (let index = 0; index < args.length; index++) {
    const arg = args[index];
    if (arg === "--") {
      tokens.push({ kind: "option-terminator", index });
      for (const [offset, value] of args.slice(index + 1).entries()) {
        positionals.push(value);
        tokens.push({ kind: "positional", index: index + 1 + offset, value });
      }
      break;
    }
    if (arg.startsWith("--")) {
      const equals = arg.indexOf("=");
      const name = equals < 0 ? arg.slice(2) : arg.slice(2, equals);
      const raw = `--${name}`;
      if (equals >= 0) take(name, raw, arg.slice(equals + 1), index, true);
      else if (options[name]?.type === "string" && args[index + 1] !== undefined) {
        ambiguous(name, raw, args[index + 1]);
        take(name, raw, args[index + 1], index++, false);
      } else take(name, raw, undefined, index, undefined);
    } else if (arg.length > 1 && arg.startsWith("-")) {
      for (let at = 1; at < arg.length; at++) {
        const short = arg[at];
        const name = byShort.get(short) ?? short;
        const raw = `-${short}`;
        if (options[name]?.type !== "string") take(name, raw, undefined, index, undefined);
        else if (at + 1 < arg.length) {
          take(name, raw, arg.slice(at + 1), index, true);
          break;
        } else if (args[index + 1] !== undefined) {
          ambiguous(name, raw, args[index + 1]);
          take(name, raw, args[index + 1], index++, false);
        } else take(name, raw, undefined, index, undefined);
      }
    } else {
      if (!allowPositionals)
        throw fail("ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL", `Unexpected argument '${arg}'. This command does not take positional arguments`);
      positionals.push(arg);
      tokens.push({ kind: "positional", index, value: arg });
    }
  }
  for (const [name, option] of Object.entries(options))
    if (option.default !== undefined && values[name] === undefined) values[name] = option.default;
  return withTokens ? { values, positionals, tokens } : { values, positionals };
}
