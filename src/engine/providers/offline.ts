/** What the user reads when the device itself knows that it has no network. */
export const offlineMessage = "You're offline. Your message is kept. Try again when you're back online.";
