import type { Country } from './holidays.ts';

export type TrackerKind = 'jira' | 'linear' | 'github';
export type TitleStyle = 'conventional' | 'key' | 'plain';

/** Part of a year with more or less work than usual, as MM-DD, both days included. */
export interface Season {
  readonly from: string;
  readonly to: string;
  readonly weight: number;
}

/** How an organisation works, as far as its history shows it. */
export interface Character {
  /** Over two years at scale 1. All six together make 5,000. */
  readonly pullRequests: number;
  readonly country: Country;
  readonly seasons: readonly Season[];
  /** Work on a day of a weekend, against an ordinary Wednesday. */
  readonly weekend: number;
  /** Work at the end of the two years against their beginning. */
  readonly growth: number;
  /** Multiplies everything that waits for people. */
  readonly pace: number;
  readonly hours: 'office' | 'volunteers';
  readonly tracker: TrackerKind;
  readonly titles: TitleStyle;
  readonly hasMergeQueue: boolean;
  /** Share of the people who use an assistant at the end. */
  readonly aiAdoption: number;
}

const yearsEnd = (weight: number): readonly Season[] => [
  { from: '12-20', to: '12-31', weight },
  { from: '01-01', to: '01-04', weight: (weight + 1) / 2 },
];

/** By the slug of the organisation. */
const characters: Readonly<Record<string, Character>> = {
  'northwind-pay': {
    pullRequests: 1_050,
    country: 'GB',
    seasons: [...yearsEnd(0.3), { from: '07-22', to: '08-31', weight: 0.78 }],
    weekend: 0.05,
    growth: 1.7,
    pace: 1,
    hours: 'office',
    tracker: 'jira',
    titles: 'key',
    hasMergeQueue: true,
    aiAdoption: 0.82,
  },
  // Crunch in the autumn, when games ship.
  'lanternfall-studios': {
    pullRequests: 750,
    country: 'CA',
    seasons: [
      ...yearsEnd(0.35),
      { from: '07-15', to: '08-10', weight: 0.65 },
      { from: '09-08', to: '10-31', weight: 1.4 },
    ],
    weekend: 0.12,
    growth: 1.35,
    pace: 1.25,
    hours: 'office',
    tracker: 'jira',
    titles: 'plain',
    hasMergeQueue: false,
    aiAdoption: 0.6,
  },
  'public-registers': {
    pullRequests: 800,
    country: 'EE',
    seasons: [
      ...yearsEnd(0.3),
      { from: '06-25', to: '07-31', weight: 0.45 },
      { from: '08-01', to: '08-15', weight: 0.75 },
    ],
    weekend: 0.02,
    growth: 1.2,
    pace: 1.6,
    hours: 'office',
    tracker: 'jira',
    titles: 'key',
    hasMergeQueue: false,
    aiAdoption: 0.5,
  },
  pebblewise: {
    pullRequests: 450,
    country: 'IN',
    seasons: [{ from: '12-24', to: '12-31', weight: 0.7 }],
    weekend: 0.16,
    growth: 2.6,
    pace: 0.55,
    hours: 'office',
    tracker: 'linear',
    titles: 'conventional',
    hasMergeQueue: false,
    aiAdoption: 0.95,
  },
  // The summer holidays of the south are in January.
  'harrow-and-tide': {
    pullRequests: 1_500,
    country: 'NZ',
    seasons: [
      { from: '12-18', to: '12-31', weight: 0.3 },
      { from: '01-01', to: '01-14', weight: 0.35 },
      { from: '07-05', to: '07-20', weight: 0.85 },
    ],
    weekend: 0.04,
    growth: 1.4,
    pace: 1.15,
    hours: 'office',
    tracker: 'jira',
    titles: 'key',
    hasMergeQueue: false,
    aiAdoption: 0.68,
  },
  'open-meridian': {
    pullRequests: 450,
    country: 'everywhere',
    seasons: [...yearsEnd(0.7), { from: '08-01', to: '08-25', weight: 0.8 }],
    weekend: 0.5,
    growth: 1.25,
    pace: 2,
    hours: 'volunteers',
    tracker: 'github',
    titles: 'conventional',
    hasMergeQueue: false,
    aiAdoption: 0.55,
  },
};

export function characterOf(slug: string): Character {
  const character = characters[slug];
  if (!character) throw new RangeError(`Nothing is known of how ${slug} works`);
  return character;
}
