// `callBound("Map.prototype.has")(map, key)`.
const { call } = Function.prototype;

module.exports = function callBound(name) {
  let value = globalThis;
  for (const part of name.split(".")) value = value[part];
  return call.bind(value);
};
