// Determines what kind of object a value is, whatever its prototype is.
const brand =
  (method, ...args) =>
  (value) => {
    try {
      method.call(value, ...args);
      return true;
    } catch {
      // The value is of another kind.
      return false;
    }
  };
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
const object = (check) => (value) => typeof value === "object" && value !== null && check(value);

const isMap = object(brand(getter(Map.prototype, "size")));
const isSet = object(brand(getter(Set.prototype, "size")));
const isDate = object(brand(Date.prototype.getTime));
const isAnyArrayBuffer = (value) => isArrayBuffer(value) || isSharedArrayBuffer(value);
const isArrayBuffer = object(brand(getter(ArrayBuffer.prototype, "byteLength")));
const isSharedArrayBuffer = object(brand(getter(SharedArrayBuffer.prototype, "byteLength")));
const isRegExp = (value) => Object.prototype.toString.call(value) === "[object RegExp]" && typeof value === "object";
const tagOf = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
const typed = (name) => (value) => tagOf.call(value) === name;
const boxed = (prototype) => object(brand(prototype.valueOf));
const tagged = (tag) => (value) =>
  typeof value === "object" && value !== null && Object.prototype.toString.call(value) === `[object ${tag}]`;
const AsyncFunction = (async () => {}).constructor;
const GeneratorFunction = function* () {}.constructor;
const AsyncGeneratorFunction = async function* () {}.constructor;

export const types = {
  isAnyArrayBuffer,
  isArgumentsObject: tagged("Arguments"),
  isArrayBuffer,
  isArrayBufferView: ArrayBuffer.isView,
  isAsyncFunction: (value) => value instanceof AsyncFunction || value instanceof AsyncGeneratorFunction,
  isBigInt64Array: typed("BigInt64Array"),
  isBigIntObject: boxed(BigInt.prototype),
  isBigUint64Array: typed("BigUint64Array"),
  isBooleanObject: boxed(Boolean.prototype),
  isBoxedPrimitive: (value) =>
    types.isNumberObject(value) ||
    types.isStringObject(value) ||
    types.isBooleanObject(value) ||
    types.isBigIntObject(value) ||
    types.isSymbolObject(value),
  isCryptoKey: () => false,
  isDataView: (value) => ArrayBuffer.isView(value) && tagOf.call(value) === undefined,
  isDate,
  isExternal: () => false,
  isFloat32Array: typed("Float32Array"),
  isFloat64Array: typed("Float64Array"),
  isGeneratorFunction: (value) => value instanceof GeneratorFunction || value instanceof AsyncGeneratorFunction,
  isGeneratorObject: tagged("Generator"),
  isInt16Array: typed("Int16Array"),
  isInt32Array: typed("Int32Array"),
  isInt8Array: typed("Int8Array"),
  isKeyObject: () => false,
  isMap,
  isMapIterator: tagged("Map Iterator"),
  isModuleNamespaceObject: tagged("Module"),
  isNativeError: (value) => value instanceof Error,
  isNumberObject: boxed(Number.prototype),
  isPromise: (value) => value instanceof Promise,
  isProxy: () => false,
  isRegExp,
  isSet,
  isSetIterator: tagged("Set Iterator"),
  isSharedArrayBuffer,
  isStringObject: boxed(String.prototype),
  isSymbolObject: boxed(Symbol.prototype),
  isTypedArray: (value) => tagOf.call(value) !== undefined,
  isUint16Array: typed("Uint16Array"),
  isUint32Array: typed("Uint32Array"),
  isUint8Array: typed("Uint8Array"),
  isUint8ClampedArray: typed("Uint8ClampedArray"),
  isWeakMap: object(brand(WeakMap.prototype.has, {})),
  isWeakSet: object(brand(WeakSet.prototype.has, {})),
};
