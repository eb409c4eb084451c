import { firstLimits } from "./first-limits.ts";

/** Every limit of the engine, with its unit. What bit is named in the result that it cut. */
export const limits = {
  ...firstLimits,
  /** UTF-16 units, and simple commands, of a command that a pattern can cover. */
  patternCommand: 4_000,
  patternCommands: 20,
  /** Milliseconds a command can run by default. `> Limit: command` in doc-main.md or the dialog says otherwise, up to MOST_COMMAND_SECONDS. */
  commandMs: 30_000,
  /** Bytes of one request that a command makes, and of its answer. */
  networkRequestBytes: 16_000_000,
  networkAnswerBytes: 64_000_000,
  /** Milliseconds that such a request may take, beside what the command itself may. */
  networkMs: 60_000,
  /** Redirects that are followed, each checked like the first address. */
  networkRedirects: 10,
  /** Hosts about which a dialog asks the user one after another; more are refused. */
  networkQuestions: 20,
  /** UTF-16 units of an address and headers that may go to a readable host unseen; above that a person is asked. */
  networkUnseen: 256,
  /** Files whose whole content a request carries that its question names. */
  networkFilesNamed: 5,
  /** UTF-16 units of an address, and what of it the user is shown. */
  networkAddress: 16_384,
  networkAddressShown: 2_000,
  /** UTF-16 units of what a running command prints that are kept for anyone who comes to see it. */
  outputShown: 20_000,
  /** Milliseconds that a command in the background may run, and UTF-16 units of its output that are kept to be read. */
  backgroundMs: 600_000,
  /** The same in a WebContainer, where it is a server, as a rule. */
  serverMs: 14_400_000,
  backgroundOutput: 1_000_000,
  /** Commands that run in the background at one time, in the whole project. */
  backgrounds: 2,
  /** Milliseconds between two stores of what such a command changes. */
  backgroundCommitMs: 2_000,
  /** Changed files of one command up to which they are stored in one transaction with its result; of more, each slice has its own. */
  wholeCommitFiles: 500,
  /** UTF-8 bytes a command may print, each of stdout and stderr. */
  commandOutputBytes: 1_000_000,
  /** Tokens a response may have. */
  responseTokens: 64_000,
  /** UTF-16 units of one tool result that go to a provider; the rest is cut in the middle, on the wire only. */
  resultOnWire: 100_000,
  /** UTF-16 units of a project's name. */
  projectName: 60,
  /** UTF-16 units of a prompt. */
  prompt: 2_000_000,
  /** Milliseconds without a byte after which a stream counts as stalled. */
  streamIdleMs: 90_000,
  /** Milliseconds without a byte until the first word at servers that send nothing while their model thinks. */
  thinkingMs: 300_000,
  /** Milliseconds that are waited for a late count of tokens when the response itself has ended. */
  afterEndMs: 2_000,
  /** Milliseconds that a server of the user's own may take to its first byte: a local model reads a long prompt for minutes. */
  firstByteMs: 600_000,
  /** Tries of one provider request, the first included. */
  requestTries: 4,
  /** Milliseconds before the second, third and fourth try when the server names no time. */
  retryWaitsMs: [1_000, 5_000, 15_000],
  /** Milliseconds up to which a `retry-after` is waited for; a longer one ends the turn and is told to the user. */
  retryAfterMs: 300_000,
  /** Milliseconds of a `retry-after` that are told to the user: a year. A longer one is a mistake of the server. */
  retryAfterShownMs: 31_536_000_000,
  /** Milliseconds until it is tried again to store what an engine that is gone left undone in a dialog. */
  settleAgainMs: 5_000,
  /** Idle dialogs that no one follows but that stay in memory: the last ones asked for. */
  idleDialogs: 50,
  /** Requests to the provider in one turn before the user is asked. */
  requestsPerTurn: 100,
  /** Dialogs that run at one time; doc-main.md's `> Limit: agents <n>` says otherwise. The others wait in the queue. */
  agents: 10,
  /** How deep agents may launch agents: a dialog that a human began has depth 0; `> Limit: depth <n>`. */
  depth: 4,
  /** What a run may where the user says nothing: agents that run at one time, depth below its root, agents that one agent may start, tokens. */
  runAgents: 3,
  runDepth: 5,
  runFanout: 5,
  runTokens: 500_000,
  /** Agents launched by agents in any 60 minutes; `> Limit: launches <n>`. The others wait in the queue. */
  launches: 60,
  /** Dialogs that one agent may launch, and that agents may launch below one dialog that a human began, however deep. */
  launchesByAgent: 50,
  launchesBelowHuman: 200,
  /** Launched agents that may wait for their turn at one time, in the whole project. */
  launchesWaiting: 100,
  /** Milliseconds between two reports of the places in the queue. */
  queueShowMs: 250,
  /** Milliseconds for which the user is not told again that a limit holds agents back. */
  limitNoticeMs: 600_000,
  /** Bytes of a file up to which what a command and someone else did to it is merged; a larger one is kept twice. */
  mergeBytes: 4_000_000,
  /** Milliseconds, and lines added or removed, after which such a comparison is given up. */
  diffMs: 200,
  diffEdits: 2_000,
  /** UTF-16 units of it that a result shows. */
  diffShown: 4_000,
  /** Parts of the model's window, in per cent, at which the agent is told how full it is; from the first on the user is offered a new dialog. */
  contextWarnings: [75, 85, 95],
  /** Milliseconds after which a human's saves of the same file are one commit of the history; a later one is in the next. */
  historySaveMs: 30_000,
  /** Milliseconds that others than a human, and than an agent in its turn, change nothing, after which what they did is a commit. */
  historyQuietMs: 2_000,
  /** Milliseconds after the first change of a commit after which it is made, however often the file is saved. */
  historyLongestMs: 300_000,
  /** Milliseconds after which a commit that could not be written is tried again. */
  historyRetryMs: 60_000,
  /** Bytes of replaced contents that are kept for commits which can't be made yet. */
  historyHeldBytes: 128_000_000,
  /** How often a commit is tried before a file that it fails at is left out of it. */
  historyFileTries: 3,
  /** Milliseconds that a list of the history waits for commits that are being made. */
  historyListWaitMs: 2_000,
  /** Commits in one answer. */
  historyPage: 200,
  /** Points of the summary with which a new dialog continues from another one. */
  summaryPoints: 200,
  /** UTF-8 bytes of such a summary, without the user's own words. */
  summaryBytes: 20_000,
  /** UTF-16 units of the agent's last words in it. */
  summaryLastText: 4_000,
  /** Versions of an agent's file that are listed at a time. */
  agentVersions: 50,
  /** Dialogs, and bytes of each, that are looked into for what a list says of them; sections at its end in which its tokens are looked for. */
  factsDialogs: 100,
  factsBytes: 1_000_000,
  factsSections: 4,
  /** Milliseconds for which a message that has a key is known by it. */
  messageKeyMs: 600_000,
  /** UTF-16 units of what the user is called. */
  userName: 60,
  /** Prices that a human can give. */
  prices: 1_000,
  /** Days that a report of what the project cost can be about, unless it is about all. */
  costDays: 3_660,
  /** UTF-16 units of what is looked for; files that hold it and are named, lines of each of them that are shown, and more that are counted. */
  searchQuery: 200,
  searchFiles: 200,
  searchLines: 4,
  searchMore: 1_000,
  /** Bytes of a file up to which it is looked through; files, and bytes of them, that are read at once for it. */
  searchBytes: 8_000_000,
  searchBatchFiles: 64,
  searchBatchBytes: 2_000_000,
  /** Files that would run outside the browser, of which an export tells; of more it says how many. */
  outgoingListed: 500,
  /** Objects of a repository in the project that are looked through for files that would run, and bytes of a tree among them. */
  outgoingObjects: 20_000,
  outgoingTreeBytes: 4_000_000,
  /** Entries of an archive that is imported, bytes of it unpacked, and how many times more those may be than its own. */
  importEntries: 20_000,
  importBytes: 512_000_000,
  importRatio: 200,
  /** Agents outside Vibey: bytes of a request, events of one of them in a second, records that a key may begin in an hour, UTF-16 units of a record. */
  outsideBytes: 1_000_000,
  outsideRate: 200,
  outsideRecords: 100,
  outsideRecord: 16_000_000,
  /** Events of all agents of a key in a second, readings of its records in ten, and streams that may follow them at one time. */
  outsideKeyRate: 1_000,
  outsideReads: 20,
  outsideStreams: 8,
  /** Messages of the user's that an agent is given at a time, and milliseconds for which one may wait for some. */
  outsideMessages: 20,
  outsideWaitMs: 3_500_000,
  /** Ids of an agent's events of which a second one is dropped, and UTF-16 units of what a tool answered. */
  outsideIds: 10_000,
  outsideResult: 100_000,
  /** Calls in one section of a record. */
  outsideCalls: 200,
  /** Milliseconds after which an agent's question that no one has decided is given back, and between two signs of life until then. */
  outsideAskMs: 570_000,
  outsideAliveMs: 15_000,
  /** Agent keys of a project, and UTF-16 units of a key's name. */
  agentKeys: 100,
  agentKeyName: 60,
  /** Bytes that an imported history may hold unpacked, however well they are packed. */
  importHarmlessBytes: 64_000_000,
} as const;
