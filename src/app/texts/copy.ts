export const brokeOff = "the download was interrupted";
export const answered = (status: number) => `Unexpected response: ${status}`;
