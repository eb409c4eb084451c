export const title = "Start an agent";
export const noKeyYet =
  "Agents think with the help of a provider, and a provider wants a key. You have none here yet. The demo needs none: it is scripted, it plays through a little game as a real agent would, and it asks you before it does anything.";
export const playDemo = "Play the demo";
export const ownKey = "Use my own key";
