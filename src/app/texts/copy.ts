export const brokeOff = "it broke off";
export const answered = (status: number) => `The engine answered ${status}.`;
