/** Amounts are formatted in the reader's locale. */
export const under = (amount: string) => `less than ${amount}`;
export const exactly = (dollars: string) => `${dollars} US dollars`;

type Period = "day" | "week" | "month" | null;

/** A cost limit in words. */
export function limit(amount: string, period: Period): string {
  switch (period) {
    case null:
      return `Spending limit: ${amount} for this project. Then agents wait for you.`;
    case "day":
      return `Spending limit: ${amount} in any 24 hours. Then agents wait for you.`;
    case "week":
      return `Spending limit: ${amount} in any 7 days. Then agents wait for you.`;
    case "month":
      return `Spending limit: ${amount} in any 30 days. Then agents wait for you.`;
  }
}

export const stoppedUnknown = "This project has a spending limit, but this model's cost is unknown. Nothing was sent to the provider.";
export const stoppedUnreadable =
  "This project has a spending limit, but the file of this dialog is damaged, so its cost can't be read. Nothing was sent to the provider.";
export const stoppedBare = "This project reached its spending limit. Nothing was sent to the provider.";
/** Why an agent was stopped at a limit. */
export function stopped(spent: string, most: string, period: Period): string {
  switch (period) {
    case null:
      return `Spending limit reached: ${spent} of ${most}. Nothing was sent to the provider.`;
    case "day":
      return `Spending limit reached: ${spent} of ${most} in 24 hours. Nothing was sent to the provider.`;
    case "week":
      return `Spending limit reached: ${spent} of ${most} in 7 days. Nothing was sent to the provider.`;
    case "month":
      return `Spending limit reached: ${spent} of ${most} in 30 days. Nothing was sent to the provider.`;
  }
}
