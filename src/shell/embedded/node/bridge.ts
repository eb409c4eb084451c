import { JSException, JSValueHandle, type QuickJS } from "quickjs-wasi";
import type { ContextEvents } from "./contexts.ts";
import { InsideError, type Plain } from "./plain.ts";

/** Functions that the runtime inside can call, by name. Handles are passed unchanged. Errors thrown here are thrown there. */
export type Operations = Readonly<Record<string, (...args: Plain[]) => Plain | JSValueHandle | void>>;

/** Operations on values that stay inside the engine. */
export type RawOperations = Readonly<Record<string, (vm: QuickJS, value: JSValueHandle) => JSValueHandle>>;

/** What a program can't find out about a promise by itself. */
const promises: RawOperations = {
  "promise.state": (vm, promise) => vm.newNumber(promise.isPromise ? promise.promiseState : -1),
  // oxlint-disable-next-line no-underscore-dangle -- the package has no other way to a promise's result.
  "promise.result": (vm, promise) => new JSValueHandle(vm, vm._getExports().qjs_promise_result(promise.ptr)),
};

export function toPlain(handle: JSValueHandle): Plain {
  if (handle.isString) return handle.toString();
  if (handle.isNumber) return handle.toNumber();
  if (handle.isBool) return handle.toBoolean();
  if (handle.isUndefined || handle.isNull) return null;
  return handle.toUint8Array();
}

export function toHandle(vm: QuickJS, value: Plain | void): JSValueHandle {
  switch (typeof value) {
    case "string":
      return vm.newString(value);
    case "number":
      return vm.newNumber(value);
    case "boolean":
      return value ? vm.true : vm.false;
    case "object":
      return value === null ? vm.null : vm.newUint8Array(value);
    default:
      return vm.undefined;
  }
}

/** Kept as long as the machine exists. */
export function contextEvents(vm: QuickJS): ContextEvents {
  return vm.withScope((scope) => {
    const events = vm.evalCode(`globalThis[Symbol.for("vibey.node")].contexts`, "node:internal");
    const one = (name: keyof ContextEvents): JSValueHandle => scope.escape(events.getProp(name));
    return { left: one("left"), resumed: one("resumed"), suspended: one("suspended"), made: one("made") };
  });
}

/** The functions of the runtime inside, by name. */
export interface Inside {
  call(name: string, ...args: (Plain | JSValueHandle)[]): Plain;
}

/** Connects `operations` to the one function that the runtime inside calls, and returns the functions that can be called there. */
export function connect(vm: QuickJS, operations: Operations): Inside {
  const machine = vm.withScope((scope) => scope.escape(vm.evalCode(`globalThis[Symbol.for("vibey.node")]`, "node:internal")));
  const table = new Map(Object.entries(operations));
  const plainError = vm.newError.bind(vm);
  const makeError = machine.getProp("makeError");

  vm.newError = (error) => {
    if (error instanceof JSException) return error.handle.dup();
    if (typeof error === "string") return plainError(error);
    const kind = error instanceof InsideError ? error.kind : "Error";
    const code: unknown = Reflect.get(error, "code");
    return vm.withScope((scope) =>
      scope.escape(
        vm.callFunction(
          makeError,
          vm.undefined,
          vm.newString(kind),
          typeof code === "string" ? vm.newString(code) : vm.undefined,
          vm.newString(error.message),
        ),
      ),
    );
  };
  vm.registerHostCallback("host", (name, ...args) => {
    const asked = name?.toString() ?? "";
    const raw = promises[asked];
    if (raw !== undefined && args[0] !== undefined) return raw(vm, args[0]);
    const operation = table.get(asked);
    if (operation === undefined) throw new InsideError("ERR_INTERNAL_ASSERTION", `there is no operation ${asked}`);
    const value = operation(...args.map(toPlain));
    return typeof value === "object" && value !== null && !(value instanceof Uint8Array) ? value : toHandle(vm, value);
  });
  return {
    call(name, ...args) {
      return vm.withScope(() => {
        const handles = args.map((arg) =>
          typeof arg === "object" && arg !== null && !(arg instanceof Uint8Array) ? arg : toHandle(vm, arg),
        );
        return toPlain(vm.callFunction(machine.getProp(name), vm.undefined, ...handles));
      });
    },
  };
}
