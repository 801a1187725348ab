import { counted, grouped } from '../../view/format.ts';

export const byToolChartsWords = {
  peopleUsingAiPer: (level: string) => `People using AI per ${level}, by tool`,
  someoneWhoUsesTwo: 'Someone who uses two tools counts in both',
  aiUse: 'AI use',
  costPerByTool: (level: string) => `Cost per ${level}, by tool`,
  usDollarsAsTools: 'US dollars, as the tools report it',
  aiCost: 'AI cost',
  codingSessionsPer: (level: string) => `Coding sessions per ${level}, by agent`,
  thoseThatGenerated: 'Only sessions that made code',
  codingSessions: 'coding sessions',
} as const;

export const aiWords = {
  sharePeopleWhoUse: 'the share of people who use AI',
  shareAcceptedLines: 'the share of accepted lines',
  shareAiLines: 'the share of AI lines',
  ai: 'AI',
  daysAiUse: 'days of AI use',
  seatsUseAndCost: 'seats, use and cost',
  daysUse: 'days of use',
  per: (label: string, level: string) => `${label} per ${level}`,
  aiUse: 'AI use',
} as const;

export const aiFigureWords = {
  aiInUse: 'AI in use',
  acceptedLines: 'Accepted lines',
  shareAiLines: 'Share of AI lines',
  tokens: 'Tokens',
  noCost: (tools: string, toolsTools: number) => `${tools} ${toolsTools === 1 ? 'reports' : 'report'} no cost`,
  notSaid: 'not said',
  cycleTimeMedian: 'Cycle time, median',
  firstReviewWaitMedian: 'First review wait, median',
  reviewMedian: 'Review, median',
  leadTimeMedian: 'Lead time, median',
  reviewRoundsAverage: 'Review rounds, average',
  reworkedAfterReview: 'Reworked after review',
  reviewed: 'Reviewed',
  linesChangedMedian: 'Lines changed, median',
} as const;

export const seatsAndCostWords = {
  idleSeats: 'Idle seats',
  peopleWithSeat:
    'People with a seat but no active day and no coding session in this window. A day that an assistant reports makes a seat.',
  noSeats: (ofWhom: string) => `no seats${ofWhom} in this window`,
  used: (seats: number, active: number) => `of ${counted(seats, 'seat', 'seats')}, ${grouped(active)} used`,
  costPerActivePerson: 'Cost per active person',
  costAssistantsInWindow:
    'Cost divided by the people who used an assistant. Assistants that report no cost, and people who used only those, are left out.',
  for: (cost: string, people: number | null) => `${cost} for ${counted(people ?? 0, 'person', 'people')}`,
  youDidntUseAi: 'you didn’t use AI',
  noOneUsedAi: 'no one used AI',
} as const;

export const seatsWords = {
  noTool: '(none)',
  seatsTokensAndCost: (list: string) => `Seats, tokens and cost cover ${list}.`,
  codingSessionsCount: (list: string) =>
    `Coding sessions of ${list} count as use of a seat. Their tokens and cost aren’t in the totals.`,
  countedAsSeats: (unknownAccounts: number) =>
    `${counted(unknownAccounts, 'unmatched account', 'unmatched accounts')} ${unknownAccounts === 1 ? 'isn’t' : 'aren’t'} counted as seats.`,
} as const;

export const sessionsWords = {
  codingSessions: 'Coding sessions',
  newestThoseWithoutCode: (sessionsShown: number, total: number) =>
    `the newest ${sessionsShown} of ${grouped(total)}, with or without code`,
  newestFirst: 'newest first',
  codingSessionsWhat: 'coding sessions',
  codingSessionsNewestFirst: 'Coding sessions, newest first',
  started: 'Started',
  person: 'Person',
  notKnown: 'not known',
  agent: 'Agent',
  repository: 'Repository',
  active: 'Active',
  tokens: 'Tokens',
  linesMade: 'Lines made',
  committed: 'Committed',
} as const;

export const usageTableWords = {
  byTool: 'By tool',
  byToolAndModel: 'By tool and model',
  seatsUseAndCost: 'seats, use and cost of each, and coding sessions that made code',
  byModelUsed: 'by the model used most on a day',
  group: 'Group by',
  aiUse: 'AI use',
  aiUseByTool: 'AI use by tool',
  aiUseByToolAndModel: 'AI use by tool and model',
  tool: 'Tool',
  model: 'Model',
  seats: 'Seats',
  idle: 'Idle',
  seatsWithoutActiveDay: 'Seats without an active day or a coding session in the window',
  sessions: 'Sessions',
  codingSessionsThatGenerated: 'Coding sessions that made code, and the people behind them',
  active: 'Active',
  distinctPeopleWithActive: 'Distinct people with an active day',
  cost: 'Cost',
  perPerson: 'Per person',
  costDividedByPeople: 'Cost divided by the people who used it',
  tokens: 'Tokens',
  aiLines: 'AI lines',
  accepted: 'Accepted',
  acceptedLinesDivided: 'Accepted lines divided by suggested lines',
} as const;

export const withAndWithoutWords = {
  deliveryWithAndWithout: 'Delivery with and without AI',
  pullRequestsMerged: 'Pull requests merged in this range. They differ in more than AI.',
  mergedPullRequests: 'merged pull requests',
  deliveryFigures: 'Delivery figures with and without AI',
  figure: 'Figure',
  withAi: 'With AI',
  without: 'Without',
  n: (n: number, fewRows: number) => `n ${grouped(n)}${n < fewRows ? ', few' : ''}`,
  aiShowRows: (label: string, side: string) => `, ${label}, ${side} AI: show the rows`,
} as const;
