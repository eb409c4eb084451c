export const pictureOf = (size: string) => [{ slot: "name" }, `, ${size}`] as const;
export const noText = (size: string) => [{ slot: "name" }, ` is no text: ${size}.`] as const;
