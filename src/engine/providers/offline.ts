/** What the human reads when the device itself knows that it has no network. */
export const offlineMessage = "This device is offline. Your message is kept; try again when there is a network.";
