/** Amounts come as the reader's locale writes them. */
export const under = (amount: string) => `under ${amount}`;
export const exactly = (dollars: string) => `${dollars} US dollars`;

type Period = "day" | "week" | "month" | null;

/** What a limit of the cost says. */
export function limit(amount: string, period: Period): string {
  switch (period) {
    case null:
      return `This project costs ${amount} at most; then agents wait for your word.`;
    case "day":
      return `This project costs ${amount} at most in any 24 hours; then agents wait for your word.`;
    case "week":
      return `This project costs ${amount} at most in any 7 days; then agents wait for your word.`;
    case "month":
      return `This project costs ${amount} at most in any 30 days; then agents wait for your word.`;
  }
}

export const stoppedUnknown = "What may be spent is limited, and nobody knows what this model costs. The provider was not asked.";
export const stoppedBare = "The limit of what this project may cost was reached. The provider was not asked.";
/** Why an agent was held back at a limit that was reached. */
export function stopped(spent: string, most: string, period: Period): string {
  switch (period) {
    case null:
      return `This project has cost ${spent}, and its limit is ${most}. The provider was not asked.`;
    case "day":
      return `This project has cost ${spent} in 24 hours, and its limit is ${most}. The provider was not asked.`;
    case "week":
      return `This project has cost ${spent} in 7 days, and its limit is ${most}. The provider was not asked.`;
    case "month":
      return `This project has cost ${spent} in 30 days, and its limit is ${most}. The provider was not asked.`;
  }
}
