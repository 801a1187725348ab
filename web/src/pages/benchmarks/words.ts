import { counted, grouped } from '../../view/format.ts';
import type { Standing } from './questions.ts';

export const benchmarkRowWords = {
  n: (n: number) => `n ${grouped(n)}`,
  shownFromOrganisations: (minOrganisations: number, organisations: number) =>
    `Shown from ${minOrganisations} organisations. ${organisations === 0 ? 'None' : organisations} so far.`,
  othersQuarterBelowHalf: (low: string, middle: string, high: string) =>
    `others: a quarter below ${low}, half below ${middle}, three quarters below ${high}`,
  noValueYours: 'no value of yours in this window',
  noRankFewer: (minRecords: number) => `no rank: fewer than ${minRecords} records`,
  noRank: 'no rank',
  higher: (percentile: number) => `higher than ${percentile}% of them`,
  standing: (standing: Standing, isGood: boolean | undefined) =>
    `${standings[standing]}${isGood === undefined ? '' : isGood ? ', better than most' : ', behind most'}`,
  quartiles: (where: string | null | undefined, place: string, quartile: string, organisations: number) =>
    `${where ? `${where} · ` : ''}${place} · quartiles ${quartile} · ${counted(organisations, 'other', 'others')}`,
} as const;

export const benchmarksWords = {
  benchmarks: 'Benchmarks',
  quartilesOtherOrganisationsOnly:
    'Quartiles are of other organisations only, rounded to three digits. Filters narrow your value, never theirs.',
  comparison: 'The comparison',
  oneComparisons: 'One of the comparisons',
  howYouCompare: 'How you compare',
  bandMiddleHalfOther:
    'The band is the middle half of other organisations, its line their median, the dot is you. Choose a metric to see it over time.',
  peersMiddleHalf: 'Peers’ middle half',
  shownBesideYourNumbers: 'Shown beside your numbers',
  yourFiguresRest: (minRecords: number) =>
    `Your figures rest on fewer than ${minRecords} records each: too few to say where you stand.`,
  thereNothingToCompare: 'There is nothing to compare with yet.',
  better: (names: string) => `better than most in ${names}`,
  behind: (names: string) => `behind most in ${names}`,
  among: (others: number, whoIs: string, parts: number, parts2: string, within: number, known: number) =>
    `Among ${counted(others, 'other organisation', 'other organisations')} ${whoIs} ${parts === 0 ? 'within the middle half throughout' : parts2}${parts > 0 && within > 0 ? `, and in the middle half in ${within} of ${known} figures` : ''}.`,
} as const;

const standings: Readonly<Record<Standing, string>> = {
  lower: 'lower quarter',
  middle: 'middle half',
  upper: 'upper quarter',
};

export const referenceCardWords = {
  publicReferenceMarks: 'Public reference marks',
  ticksBoundsThatPublisher:
    'Ticks are bounds that a publisher prints for its own customers. They aren’t grades, and definitions differ.',
  yourNumbers: 'Your numbers',
  apiRequest: 'API request',
  furtherNumbers: (count: number) => `Further numbers ${count}`,
  n: (n: number) => `n ${grouped(n)}`,
  source: 'Source',
  openSource: 'Open the source',
} as const;

export const trendWords = {
  overTime: (title: string) => `${title} over time`,
  bandNumberOverWhole: (level: string) =>
    `The band is of the number over the whole range, which no single ${level} can be held against. It also grows with the size of an organisation.`,
  apiRequest: 'API request',
  per: (name: string, level: string, hasBand: boolean) => `${name} per ${level}${hasBand ? ', against the band' : ''}`,
  you: 'You',
  middleHalfOthers: 'Middle half of the others',
  greyMiddleHalfOthers: 'Grey is the middle half of the others over the whole range',
  tooFewOtherOrganisations: (organisations: number, minOrganisations: number) =>
    `Too few other organisations for a band: ${organisations} of ${minOrganisations}`,
  values: 'values',
} as const;
