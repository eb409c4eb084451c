import { firstLimits } from "./first-limits.ts";

/** Every limit of the engine, with its unit. A result names the limit that cut it. */
export const limits = {
  ...firstLimits,
  /** UTF-16 code units, and simple commands, of a command that a pattern can cover. */
  patternCommand: 4_000,
  patternCommands: 20,
  /** Milliseconds that a command can run by default. `> Limit: command` in doc-main.md or the dialog overrides it, up to MOST_COMMAND_SECONDS. */
  commandMs: 30_000,
  /** Bytes of one request by a command, and of the response. */
  networkRequestBytes: 16_000_000,
  networkAnswerBytes: 64_000_000,
  /** Milliseconds that such a request may take, in addition to the command's own time. */
  networkMs: 60_000,
  /** Redirects that are followed. Each is checked like the first address. */
  networkRedirects: 10,
  /** Hosts about which a dialog asks the user, one after another. Further hosts are refused. */
  networkQuestions: 20,
  /** UTF-16 code units of an address and headers that no person has read. A request with more of them counts as an upload. */
  networkUnseen: 256,
  /** Files that a question names because the request carries their whole content. */
  networkFilesNamed: 5,
  /** UTF-16 code units of an address, and the part of it that the user is shown. */
  networkAddress: 16_384,
  networkAddressShown: 2_000,
  /** UTF-16 code units of a running command's output that are kept for readers who join late. */
  outputShown: 20_000,
  /** Milliseconds that a background command may run. */
  backgroundMs: 600_000,
  /** The same in a WebContainer, where it is usually a server. Then UTF-16 code units of a background command's output that are kept. */
  serverMs: 14_400_000,
  backgroundOutput: 1_000_000,
  /** Background commands that run at the same time, in the whole project. */
  backgrounds: 2,
  /** Milliseconds between two stores of a background command's changes. */
  backgroundCommitMs: 2_000,
  /** If a command changes at most this many files, they are stored in one transaction with its result. Otherwise in slices. */
  wholeCommitFiles: 500,
  /** UTF-8 bytes a command may print, for each of stdout and stderr. */
  commandOutputBytes: 1_000_000,
  /** Tokens of a response. */
  responseTokens: 64_000,
  /** UTF-16 code units of one tool result that go to a provider. A longer result is cut in the middle, only in the request. */
  resultOnWire: 100_000,
  /** UTF-16 code units of a project's name. */
  projectName: 60,
  /** UTF-16 code units of a prompt. */
  prompt: 2_000_000,
  /** Milliseconds without a byte after which a stream counts as stalled. */
  streamIdleMs: 90_000,
  /** Milliseconds without a byte before the first word, for servers that send nothing while their model thinks. */
  thinkingMs: 300_000,
  /** Milliseconds to wait for a late token count after the response has ended. */
  afterEndMs: 2_000,
  /** Milliseconds until the first byte of the user's own server: a local model can read a long prompt for minutes. */
  firstByteMs: 600_000,
  /** Tries of one provider request, including the first. */
  requestTries: 4,
  /** Milliseconds before the second, third and fourth try if the server names no time. */
  retryWaitsMs: [1_000, 5_000, 15_000],
  /** The longest `retry-after` that is waited for, in milliseconds. A longer one ends the turn and is shown to the user. */
  retryAfterMs: 300_000,
  /** The longest `retry-after` that is shown to the user, in milliseconds: a year. A longer one is a mistake of the server. */
  retryAfterShownMs: 31_536_000_000,
  /** Milliseconds until the engine tries again to store what a previous engine left unfinished in a dialog. */
  settleAgainMs: 5_000,
  /** Idle dialogs without followers that stay in memory: the most recently used ones. */
  idleDialogs: 50,
  /** Requests to the provider in one turn before the user is asked. */
  requestsPerTurn: 100,
  /** Dialogs that run at the same time. `> Limit: agents <n>` in doc-main.md overrides it. Further dialogs are queued. */
  agents: 10,
  /** How deep agents may launch agents. A dialog that a human began has depth 0. `> Limit: depth <n>` overrides it. */
  depth: 4,
  /** The default limits of a run: agents that run at the same time, depth below its root, agents that one agent may start, tokens. */
  runAgents: 3,
  runDepth: 5,
  runFanout: 5,
  runTokens: 500_000,
  /** Agents launched by agents in any 60 minutes. `> Limit: launches <n>` overrides it. Further launches are queued. */
  launches: 60,
  /** Dialogs that one agent may launch, and that agents may launch below one dialog that a human began, at any depth. */
  launchesByAgent: 50,
  launchesBelowHuman: 200,
  /** Launched agents that may be queued at the same time, in the whole project. */
  launchesWaiting: 100,
  /** Milliseconds between two reports of the positions in the queue. */
  queueShowMs: 250,
  /** Milliseconds before the user is told again that a limit holds agents back. */
  limitNoticeMs: 600_000,
  /** The largest file, in bytes, in which a command's changes are merged with someone else's. Of a larger file both versions are kept. */
  mergeBytes: 4_000_000,
  /** Milliseconds, and lines added or removed, after which such a comparison is abandoned. */
  diffMs: 200,
  diffEdits: 2_000,
  /** UTF-16 code units of such a comparison in a result. */
  diffShown: 4_000,
  /** Percentages of the model's window at which the agent is told how full it is. From the first one on, the user is offered a new dialog. */
  contextWarnings: [75, 85, 95],
  /** Milliseconds within which a human's saves of the same file belong to one commit of the history. */
  historySaveMs: 30_000,
  /** Milliseconds without changes after which changes become a commit, unless they are a human's or made by an agent in its turn. */
  historyQuietMs: 2_000,
  /** The longest time in milliseconds from the first change of a commit to the commit, however often the file is saved. */
  historyLongestMs: 300_000,
  /** Milliseconds before a failed commit is tried again. */
  historyRetryMs: 60_000,
  /** Bytes of replaced contents that are kept for commits that can't be made yet. */
  historyHeldBytes: 128_000_000,
  /** How often a commit is tried before it leaves out the file that makes it fail. */
  historyFileTries: 3,
  /** Milliseconds that a list of the history waits for commits in progress. */
  historyListWaitMs: 2_000,
  /** Commits in one answer. */
  historyPage: 200,
  /** Points of the summary from which a new dialog continues another one. */
  summaryPoints: 200,
  /** UTF-8 bytes of such a summary, without the user's own words. */
  summaryBytes: 20_000,
  /** UTF-16 code units of the agent's last message in the summary. */
  summaryLastText: 4_000,
  /** Versions of an agent's file that are listed at a time. */
  agentVersions: 50,
  /** Dialogs, and bytes of each, that are read to show facts in a list. Sections at the end that are searched for token counts. */
  factsDialogs: 100,
  factsBytes: 1_000_000,
  factsSections: 4,
  /** Milliseconds for which the key of a message is remembered. */
  messageKeyMs: 600_000,
  /** UTF-16 code units of the user's name. */
  userName: 60,
  /** Prices that a human can set. */
  prices: 1_000,
  /** Days of a cost report, unless it covers all time. */
  costDays: 3_660,
  /** UTF-16 code units of a search query. Matching files that are listed, lines shown for each of them, and further matches that are counted. */
  searchQuery: 200,
  searchFiles: 200,
  searchLines: 4,
  searchMore: 1_000,
  /** Bytes of the largest file that is searched. Files, and bytes of them, that are read at once. */
  searchBytes: 8_000_000,
  searchBatchFiles: 64,
  searchBatchBytes: 2_000_000,
  /** Files that would run outside the browser and that an export lists. The rest is only counted. */
  outgoingListed: 500,
  /** Objects of a repository in the project that are searched for files that would run, and bytes of a tree among them. */
  outgoingObjects: 20_000,
  outgoingTreeBytes: 4_000_000,
  /** Entries of an imported archive, its unpacked bytes, and the maximum ratio of unpacked to packed bytes. */
  importEntries: 20_000,
  importBytes: 512_000_000,
  importRatio: 200,
  /**
   * Agents outside Vibey: bytes of a request, events of one agent per second, records that a key may begin per hour, UTF-16 code units of a record.
   */
  outsideBytes: 1_000_000,
  outsideRate: 200,
  outsideRecords: 100,
  outsideRecord: 16_000_000,
  /** Events of all agents of a key per second, reads of its records per ten seconds, and streams that follow them at the same time. */
  outsideKeyRate: 1_000,
  outsideReads: 20,
  outsideStreams: 8,
  /** Messages that an agent gets from the user at a time, and milliseconds that an agent may wait for one. */
  outsideMessages: 20,
  outsideWaitMs: 3_500_000,
  /** Ids of an agent's events that are remembered to drop duplicates, and UTF-16 code units of a tool's output. */
  outsideIds: 10_000,
  outsideResult: 100_000,
  /** Calls in one section of a record. */
  outsideCalls: 200,
  /** Milliseconds until an agent's question that no one has decided is returned undecided, and between two keep-alive signs until then. */
  outsideAskMs: 570_000,
  outsideAliveMs: 15_000,
  /** Agent keys of a project, and UTF-16 code units of a key's name. */
  agentKeys: 100,
  agentKeyName: 60,
  /** Unpacked bytes of an imported history that are always allowed, at any compression ratio. */
  importHarmlessBytes: 64_000_000,
} as const;
