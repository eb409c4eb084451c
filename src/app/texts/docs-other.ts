export const pictureOf = (size: string) => [{ slot: "name" }, `, ${size}`] as const;
export const noText = (size: string) =>
  [{ slot: "name" }, ` is neither text nor a picture, so it is not shown here. It has ${size}.`] as const;
