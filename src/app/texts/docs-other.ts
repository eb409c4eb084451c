export const pictureOf = (size: string) => [{ slot: "name" }, `, ${size}`] as const;
export const noText = (size: string) => [{ slot: "name" }, ` (${size}) can't be shown here. Only text and images can.`] as const;
