export const whatItMayCost = "What this project may cost";
export const withoutPrice =
  "With a price, and a server that reports its tokens, Vibey can tell what this dialog costs. Without them, it goes on and its cost stays unknown.";
export const goOnWithoutPrice = "Go on without a price";
export const givePrice = "Give a price";
export const overLimit = "Go on for this turn only, or let the project cost more.";
export const goOnOnce = "Go on once";
export const changeLimit = "Change the limit in main";
