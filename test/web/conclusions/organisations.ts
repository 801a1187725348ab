import { type MadeHistory, repositories } from './made-history.ts';

/** When all of it is looked at: on a Thursday afternoon, four days after Europe put its clocks forward. */
export const now = '2026-04-02T15:00:00Z';

/** The range that pages are opened with. */
export const defaultRange = 'r=30d';

/** A stream of a connected source, as its last reads have left it. */
export interface MadeStream {
  readonly name: string;
  readonly feeds: readonly string[];
  readonly completeAt: string;
  /** It brings reports of whole days, and this is the newest. */
  readonly newestReport?: string;
  readonly isForbidden?: boolean;
  readonly failingSince?: string;
}

/** An organisation made for one way in which conclusions go wrong, and what there is to conclude of it. */
export interface MadeOrganisation {
  readonly name: string;
  readonly zone?: string;
  readonly history: Omit<MadeHistory, 'people'> | undefined;
  readonly streams?: readonly MadeStream[];
  /** Everybody is in one of so many teams; three unless given. */
  readonly teams?: number;
  readonly expected: Expected;
}

/** What follows from what was put in. */
export interface Expected {
  /** The moment up to which each table is complete: that of most, and of those that differ. Undefined without data. */
  readonly through: string | undefined;
  readonly throughOf?: Readonly<Record<string, string>>;
  /** Pages say that the data are too old. */
  readonly isStale?: boolean;
  /** How many streams pages say are missing. */
  readonly missing?: number;
  /** No number of the first window may be compared with the window before. */
  readonly hasNoHistory?: boolean;
  /** What the sentence of the page about cycle time names as the cause. */
  readonly cause?: { readonly phase: string; readonly repository: string };
}

const yesterday = '2026-04-01';
const afterYesterday = '2026-04-02T00:00:00Z';
const steady = { from: '2026-01-20', to: yesterday };

/** Everything was read twenty minutes ago. */
const readNow = (name: string, ...feeds: string[]): MadeStream => ({
  name,
  feeds,
  completeAt: '2026-04-02T14:40:00Z',
});
const ofHost = ['pull_requests', 'pull_request_reviews', 'deployments', 'workflow_runs'];

/** Reviews of web changes take six times as long since the beginning of the window. Read by people of every role. */
export const slowerReviews: MadeOrganisation = {
  name: 'Slower reviews',
  history: { ...steady, perDay: 4, slower: { from: '2026-03-03', times: 8, repositories: ['acme/web'] } },
  expected: { through: afterYesterday, cause: { phase: 'first review wait', repository: 'web' } },
};

export const stoppedImports: MadeOrganisation = {
  name: 'Imports that stopped, and a change without a cause',
  history: {
    ...steady,
    to: '2026-03-27',
    perDay: 3,
    slower: { from: '2026-02-26', times: 3, repositories, isInAllPhases: true },
    seed: 5,
  },
  expected: { through: '2026-03-28T00:00:00Z', isStale: true },
};

export const organisations: readonly MadeOrganisation[] = [
  slowerReviews,
  {
    name: 'Data that end two days ago, with promotions',
    history: { ...steady, to: '2026-03-31', perDay: 3, hasPromotions: true, seed: 2 },
    expected: { through: '2026-04-01T00:00:00Z' },
  },
  {
    name: 'A stream that is forbidden, and daily reports that come late',
    history: { ...steady, reportedTo: '2026-03-30', seed: 3 },
    streams: [
      readNow('pull requests of acme/api', ...ofHost),
      { ...readNow('pull requests of acme/web', ...ofHost), completeAt: '2026-03-10T08:00:00Z', isForbidden: true },
      { ...readNow('use of assistants', 'ai_copilot'), newestReport: '2026-03-30' },
    ],
    expected: {
      through: afterYesterday,
      throughOf: { ...ofEach(ofHost, '2026-04-02T14:40:00Z'), ai_copilot: '2026-03-31T00:00:00Z' },
      missing: 1,
    },
  },
  {
    name: 'Teams of two, and a stream that fails',
    history: { ...steady, perDay: 1, seed: 4 },
    teams: 4,
    streams: [
      readNow('pull requests', ...ofHost),
      { ...readNow('issues', 'issues'), completeAt: '2026-03-31T04:30:00Z', failingSince: '2026-04-02T05:00:00Z' },
    ],
    expected: {
      through: afterYesterday,
      throughOf: { ...ofEach(ofHost, '2026-04-02T14:40:00Z'), issues: '2026-03-31T04:30:00Z' },
      isStale: true,
    },
  },
  stoppedImports,
  {
    name: 'A history that begins in the middle of the earlier window',
    history: {
      ...steady,
      from: '2026-02-15',
      perDay: 3,
      slower: { from: '2026-03-03', times: 8, repositories },
      seed: 6,
    },
    expected: { through: afterYesterday, hasNoHistory: true },
  },
  {
    // Clocks went forward on the eighth of March. Until then it was the day before between four and five, UTC.
    name: 'A daylight-saving change',
    zone: 'America/New_York',
    history: { ...steady, hour: 2.5, seed: 7 },
    expected: { through: '2026-04-02T04:00:00Z' },
  },
  { name: 'No data at all', history: undefined, expected: { through: undefined } },
];

function ofEach(tables: readonly string[], through: string): Readonly<Record<string, string>> {
  return Object.fromEntries(tables.map((table) => [table, through]));
}
