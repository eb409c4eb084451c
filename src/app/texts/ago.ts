import { counted } from "./counted.ts";

export const lessThanAMinuteAgo = "less than a minute ago";
export const minutesAgo = (minutes: number) => `${counted(minutes, "minute")} ago`;
export const hoursAgo = (hours: number) => `${counted(hours, "hour")} ago`;
export const daysAgo = (days: number) => `${counted(days, "day")} ago`;
