/** The Comlink that the client brings and speaks; the package says nothing of its types. */
declare module "@webcontainer/api/dist/vendor/index.js" {
  export const Comlink: {
    /** Stays where it is; the other side gets a proxy. */
    proxy<T extends object>(value: T): T;
    transfer<T extends object>(value: T, parts: Transferable[]): T;
    expose(value: object, port: MessagePort): void;
  };
}
