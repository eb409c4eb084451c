import { counted } from "./counted.ts";

/** "30 s", "2 min", "1 min 30 s", "1 hour". */
export function seconds(count: number): string {
  if (count < 60) return `${count} s`;
  const [minutes, rest] = [Math.floor(count / 60), count % 60];
  if (rest === 0 && minutes % 60 === 0) return counted(minutes / 60, "hour");
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}
