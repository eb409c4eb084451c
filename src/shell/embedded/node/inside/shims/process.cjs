// What the packages in here use of `process`, before there is one.
module.exports = {
  env: {},
  nextTick: (...args) => globalThis.process.nextTick(...args),
  emitWarning: (...args) => globalThis.process.emitWarning(...args),
  on: (...args) => globalThis.process.on(...args),
  get stdout() {
    return globalThis.process.stdout;
  },
  get stderr() {
    return globalThis.process.stderr;
  },
};
