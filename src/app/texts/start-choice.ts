export const title = "Start an agent";
export const noKeyYet =
  "Agents run on a model provider, such as Claude, and you haven't added a key yet. Try the demo first: a scripted agent builds a small game and asks before every step, just like a real one. No key, no network.";
export const playDemo = "Try the demo";
export const ownKey = "Add an API key";
