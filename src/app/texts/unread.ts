export const tryAgain = "Try again";
