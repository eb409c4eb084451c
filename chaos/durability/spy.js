// Runs before the engine's worker in the durability campaign: records each completed write transaction, in the order in which they began.
(() => {
  /** @typedef {{ database: string, durability: string, texts: string[], complete: boolean }} Write */
  /** @type {Write[]} */
  const writes = [];
  /** @type {WeakMap<IDBTransaction, Write>} */
  const entries = new WeakMap();
  globalThis.writesSeen = writes;

  /** @param {unknown} value */
  const textOf = (value) => (value instanceof Uint8Array ? new TextDecoder().decode(value) : JSON.stringify(value));
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the database below
  const begin = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function transaction(stores, mode, options) {
    const tx = begin.call(this, stores, mode, options);
    if (mode === "readwrite") {
      const entry = { database: this.name, durability: tx.durability, texts: [], complete: false };
      entries.set(tx, entry);
      writes.push(entry);
      tx.addEventListener("complete", () => {
        entry.complete = true;
      });
    }
    return tx;
  };
  for (const method of /** @type {const} */ (["put", "add", "delete"])) {
    /** @type {(this: IDBObjectStore, ...given: any[]) => IDBRequest} */
    const original = IDBObjectStore.prototype[method];
    IDBObjectStore.prototype[method] = function write(/** @type {unknown[]} */ ...given) {
      entries.get(this.transaction)?.texts.push(`${method} ${this.name} ${given.map(textOf).join(" ")}`);
      return original.apply(this, given);
    };
  }
})();
