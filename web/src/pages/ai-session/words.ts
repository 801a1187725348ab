import { counted } from '../../view/format.ts';

export const messagesWords = {
  noMessages: 'No messages',
  hookSendsTextsOnly: 'The hook sends messages only if set up to. Counts and lines are complete without them.',
  showMore: (min: number, messages: number) => `Show ${min} more of ${messages}`,
  toolCallToolCalls: (toolCalls: number) => ` · ${counted(toolCalls, 'tool call', 'tool calls')}`,
  took: (value: string) => ` · took ${value}`,
  noTextWasSent: 'no text was sent',
} as const;

export const aiSessionWords = {
  codingSession: 'Coding session',
  allSessions: 'All sessions',
  session: 'The session',
  apiRequest: 'API request',
  noSuchSession: 'No such session',
  thereNoSession: 'There’s no session with this id, or you don’t have access to it.',
  showNewestSessions: 'Show the newest sessions',
  unknownPerson: 'Unknown person',
  worked: (
    person: string,
    to: string | null | undefined,
    from: string,
    time: string,
    zone: string,
    sessionInWords: string,
  ) => `${person} worked ${to ? `from ${from} to ${time}` : `from ${from}, still open`} (${zone}): ${sessionInWords}.`,
  activeTime: 'Active time',
  tokens: 'Tokens',
  linesMade: 'Lines made',
  linesCommitted: 'Lines committed',
  inOutRead: (value: string, value2: string, value3: string, value4: string) =>
    `${value} in, ${value2} out, ${value3} read from cache, ${value4} put there`,
  thoseMade: (value: string) => `${value} of those made`,
  messages: 'Messages',
  files: 'Files',
  noFiles: 'No files',
  thisSessionEditedNone: 'This session edited no files, or they weren’t sent.',
  filesThisSession: 'Files of this session',
  file: 'File',
  edits: 'Edits',
  committed: 'Committed',
  commits: 'Commits',
  noCommits: 'No commits',
  nothingThisSession: 'Nothing from this session was committed, or its commits weren’t sent.',
  commitsThisSession: 'Commits of this session',
  commit: 'Commit',
  lines: 'Lines',
} as const;

export const aiSessionFigureWords = {
  agent: 'An agent',
  with: (model: string) => `with ${model}`,
  in: (repository: string) => `in ${repository}`,
  onBranch: (branch: string) => `on branch ${branch}`,
} as const;
