/** What a summary says under each of its headings. */
export interface Resolution {
  readonly conclusion: string;
  readonly keyPoints: string;
  readonly actionItems: string;
}

const heading = (words: string) => new RegExp(`^[ \\t]*(?:#{1,6} |\\d[.)] )?[ \\t]*\\**${words}\\**:?\\**[ \\t]*`, "im");
const [CONCLUSION, KEY_POINTS, ACTION_ITEMS] = [heading("CONCLUSION"), heading("KEY POINTS"), heading("ACTION ITEMS")];

/** Splits a summary at its headings, without losing text. Null if it lacks a heading, has them in another order, or has text before the first. */
export function readResolution(text: string): Resolution | null {
  const conclusion = CONCLUSION.exec(text);
  if (conclusion === null || text.slice(0, conclusion.index).trim() !== "") return null;
  const rest = text.slice(conclusion[0].length + conclusion.index);
  const points = KEY_POINTS.exec(rest);
  const after = points && rest.slice(points.index + points[0].length);
  const items = after && ACTION_ITEMS.exec(after);
  if (!points || !items) return null;
  return {
    conclusion: rest.slice(0, points.index).trim(),
    keyPoints: after.slice(0, items.index).trim(),
    actionItems: after.slice(items.index + items[0].length).trim(),
  };
}
