/**
 * A file's path in a project: segments joined by "/", no leading "/", no empty segment, no "." or "..", no NUL, no
 * backslash, at most 1,024 characters; well-formed Unicode in NFC. Any other text is refused by `parsePath`.
 */
export type Path = string & { readonly path: unique symbol };

export type PathFailure = { kind: "bad-path"; text: string; why: string };
