/** The Comlink that the client includes and uses. The package has no types for it. */
declare module "@webcontainer/api/dist/vendor/index.js" {
  export const Comlink: {
    /** The value stays on this side; the other side gets a proxy. */
    proxy<T extends object>(value: T): T;
    transfer<T extends object>(value: T, parts: Transferable[]): T;
    expose(value: object, port: MessagePort): void;
  };
}
