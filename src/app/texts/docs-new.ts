export const docThere = "There is a doc of that name already.";
export const notCreated = (why: string) => `Not created: ${why}`;
export const nameMissing = "Give the doc a name.";
export const nameStrange = (sign: string) => `A name has letters a to z, digits, dots, "-" and "_"; "${sign}" is none of them.`;
export const nameDots = "A name can't have two dots in a row.";
export const nameLong = "This name is too long.";
