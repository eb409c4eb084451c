export const secondAsks = "The second agent needs your approval.";
export const openSecond = "Open its dialog";
export const title = "That was the demo";
export const about = "A model works the same way with your own text. It needs a key from Claude, OpenAI or another provider.";
export const ownText = "Start with your own text";
export const addKey = "Add a key";
export const readGuide = "Read the guide";
