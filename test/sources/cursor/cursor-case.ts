import { cursor } from '../../../src/sources/cursor/cursor.ts';
import type { Reply } from '../../jobs/failing-answers.ts';
import type { ContractCase } from '../contract/contract-case.ts';
import type { AskedRequest } from '../contract/replay-host.ts';

export interface CursorDay {
  date: number;
  email: string;
  isActive: boolean;
  [field: string]: unknown;
}

export interface CursorEvent {
  timestamp: string;
  userEmail?: string;
  model: string;
  tokenUsage?: Record<string, number>;
  [field: string]: unknown;
}

export interface CursorWorld {
  readonly days: CursorDay[];
  readonly events: CursorEvent[];
}

export const cursorNow = Date.UTC(2026, 2, 31, 12) / 1_000;
export const cursorToken = 'key_of_nobody_in_particular';
const msPerDay = 86_400_000;
/** The first millisecond of a day; yesterday is 1. */
export const dayMs = (daysAgo: number): number => Date.UTC(2026, 2, 31) - daysAgo * msPerDay;

export const usageDay = (email: string, daysAgo: number, more: Partial<CursorDay> = {}): CursorDay => ({
  date: dayMs(daysAgo),
  isActive: true,
  totalLinesAdded: 200 + daysAgo,
  totalLinesDeleted: 40,
  acceptedLinesAdded: 120,
  acceptedLinesDeleted: 12,
  totalApplies: 9,
  totalAccepts: 8,
  totalRejects: 2,
  totalTabsShown: 60,
  totalTabsAccepted: 45,
  composerRequests: 3,
  chatRequests: 7,
  agentRequests: 5,
  cmdkUsages: 4,
  subscriptionIncludedReqs: 15,
  mostUsedModel: 'model-a',
  tabMostUsedExtension: '.ts',
  email,
  ...more,
});

export const usageEvent = (
  email: string,
  daysAgo: number,
  hour: number,
  more: Partial<CursorEvent> = {},
): CursorEvent => ({
  timestamp: String(dayMs(daysAgo) + hour * 3_600_000),
  model: 'model-a',
  kind: 'Usage-based',
  requestsCosts: 1.4,
  tokenUsage: { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 300, cacheReadTokens: 4_000, totalCents: 0.1 },
  userEmail: email,
  ...more,
});

const ada = 'ada@acme.example';
const bo = 'Bo@acme.example';

/** Sixty days of Ada, a few of Bo; requests with tokens of three recent days and of one that is older. */
const makeWorld = (): CursorWorld => ({
  days: [
    ...Array.from({ length: 60 }, (_, i) => usageDay(ada, i + 1, { isActive: i % 7 !== 3 })),
    ...[1, 2, 40].map((daysAgo) => usageDay(bo, daysAgo, { mostUsedModel: 'default' })),
    // What happened today is not told before the day is over.
    usageDay(ada, 0),
  ],
  events: [
    ...[1, 2, 3, 50].flatMap((daysAgo) => [9, 9.5, 15].map((hour) => usageEvent(ada, daysAgo, hour))),
    usageEvent(bo, 1, 10),
    { ...usageEvent(bo, 2, 10), tokenUsage: undefined } as unknown as CursorEvent,
    usageEvent(ada, 0, 1),
  ],
});

/** Cursor as it is documented: thirty days at most, requests by page and the newest first. Pages are smaller here. */
export function cursorAnswer({ days, events }: CursorWorld, { method, path, headers, body }: AskedRequest): Reply {
  const expected = `Basic ${Buffer.from(`${cursorToken}:`).toString('base64')}`;
  if (headers.authorization !== expected) return { status: 401, body: {} };
  if (path === '/teams/members') {
    const members = [ada, bo].map((email) => ({ name: email.slice(0, 3), email, role: 'member' }));
    return { status: 200, body: { teamMembers: members } };
  }
  const { startDate, endDate, page } = body as { startDate: number; endDate: number; page?: number };
  if (method !== 'POST' || endDate - startDate > 30 * msPerDay) return { status: 400, body: {} };
  const isIn = (ms: number) => ms >= startDate && ms <= endDate;
  if (path === '/teams/daily-usage-data') {
    return { status: 200, body: { data: days.filter(({ date }) => isIn(date)), period: { startDate, endDate } } };
  }
  if (path !== '/teams/filtered-usage-events') return { status: 404, body: {} };
  const found = events
    .filter(({ timestamp }) => isIn(Number(timestamp)))
    .sort((one, other) => Number(other.timestamp) - Number(one.timestamp));
  const pageSize = 4;
  const start = ((page ?? 1) - 1) * pageSize;
  const hasNextPage = start + pageSize < found.length;
  const pagination = { currentPage: page, pageSize, hasNextPage, hasPreviousPage: start > 0 };
  return { status: 200, body: { usageEvents: found.slice(start, start + pageSize), pagination } };
}

const dayOf = ({ days }: CursorWorld, email: string, daysAgo: number): CursorDay => {
  const found = days.find((day) => day.email === email && day.date === dayMs(daysAgo));
  if (!found) throw new Error(`there is no day of ${email}`);
  return found;
};

export const cursorCase: ContractCase<CursorWorld> = {
  kind: cursor,
  settings: { since: '2026-01-20' },
  secrets: { token: cursorToken },
  now: cursorNow,
  makeWorld,
  answer: cursorAnswer,
  table: 'ai_copilot',
  orderedBy: 'date',
  rows: 63,
  // The members, and the last days of use and of requests, which have three pages here.
  maxQuietRequests: 5,
  changes: {
    'a day that is reported late': { make: ({ days }) => days.push(usageDay(bo, 3)), rows: 64 },
    'a day that is corrected': {
      make: (world) => Object.assign(dayOf(world, ada, 2), { acceptedLinesAdded: 90 }),
      rows: 63,
    },
    'a request that arrives late': { make: ({ events }) => events.push(usageEvent(bo, 3, 23)), rows: 64 },
    'a request that is taken back': { make: ({ events }) => events.splice(0, 1), rows: 63 },
    'another cost of a request': {
      make: ({ events }) => Object.assign(events[0]?.tokenUsage ?? {}, { totalCents: 12.5 }),
      rows: 63,
    },
  },
  broken: { isAsked: ({ path }) => path.endsWith('/filtered-usage-events'), minRows: 63 },
};
