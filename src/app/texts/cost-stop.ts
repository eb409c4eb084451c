export const whatItMayCost = "Spending limit";
export const withoutPrice =
  "Vibey can't track this dialog's cost: the model has no price, or its server doesn't report tokens. Add a price, or continue without tracking.";
export const continueWithoutPrice = "Continue without a price";
export const givePrice = "Add a price";
export const overLimit = "Continue for this turn only, or raise the project's spending limit.";
export const damaged = "Continue for this turn only, or start a new dialog.";
export const continueOnce = "Continue once";
export const changeLimit = "Change limit in main";
