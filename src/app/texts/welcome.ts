/** The build writes these into the page as static HTML, so each is a plain string. */
export const heading = "Write what you want. Agents build it, and ask you first.";
export const about =
  "Vibey is a place in your browser to work with AI agents in plain text. Your words, your files and your key stay on this device. What an agent reads goes to the model you choose.";
export const demoTitle = "See it work";
export const demoAbout = "A scripted agent builds a small game with you. Two minutes, no key, nothing is sent.";
export const playDemo = "Play the demo";
export const readGuide = "Read the guide";
export const ownTitle = "Start with your own text";
export const ownHint = "A page that counts down to our wedding, with a list of what's left to do.";
export const ownNext = "You'll need a key from Claude, OpenAI or another provider. The next step shows how.";
export const startWriting = "Start writing";
export const steps = "How it works, in three steps";
export const stepWrite = "You write";
export const stepWriteSample = "A game for two people who share one screen. It opens in a browser and makes no sound.";
export const stepAsk = "The agent asks";
export const stepAskSample = "The board is ready. Can I run its tests?";
export const stepApprove = "Approve";
export const stepDeny = "Deny";
export const stepResult = "It's there";
export const board = "A tic-tac-toe board after three moves";
export const openZip = "Open a project from a zip";
export const nothingNeeded = "No account. Nothing to install.";
