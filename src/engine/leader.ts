/**
 * One engine per project, however many tabs are open: it holds a Web Lock as long as its worker lives. Another tab's
 * engine waits here until the lock is free, which is at once when the tab that has it is closed or crashes.
 */
export function lead(locks: LockManager, name: string, elsewhere: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const hold = () => {
      resolve();
      return new Promise<never>(() => undefined);
    };
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock) return hold();
        elsewhere();
        locks.request(name, hold).catch(reject);
        return undefined;
      })
      .catch(reject);
  });
}
