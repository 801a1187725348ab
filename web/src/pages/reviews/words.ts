import { counted, grouped } from '../../view/format.ts';

export const heatMapsWords = {
  pullRequests: 'pull requests',
  noTeam: 'no team',
  noRepository: 'no repository',
} as const;

export const loadChartWords = {
  howReviewsShared: 'How reviews are shared',
  halfGave: (low: number, high: number) => ` · half gave ${grouped(low)} to ${grouped(high)}`,
  byReviewsGiven: (reviewers: number, reviews: number, middle: string) =>
    `${counted(reviewers, 'person', 'people')} by reviews given · ${counted(reviews, 'review', 'reviews')}${middle}`,
  peopleByReviewsGiven: 'People by reviews given',
  reviews: 'reviews',
} as const;

export const loadWords = {
  login: (login: string | null) => `login ${login}`,
  people: 'People',
} as const;

export const noReviewsWords = {
  reviews: 'reviews',
} as const;

export const reviewsWords = {
  reviews: 'Reviews',
  per: (label: string, level: string) => `${label} per ${level}`,
} as const;

export const pickupChartWords = {
  slowestTenth: 'Slowest tenth',
  firstReviewWaitPer: (level: string) => `First review wait per ${level}`,
  pullRequests: 'pull requests',
  fromOpenedToFirst: (level: string) => `From opened to the first review by someone else, by ${level} of merge`,
  reviewedPullRequests: 'reviewed pull requests',
  median: 'Median',
} as const;

export const reviewsFigureWords = {
  firstReviewWaitMedian: 'First review wait, median',
  pullRequests: 'pull requests',
  reviewTimeMedian: 'Review time, median',
  reviewRoundsAverage: 'Review rounds, average',
  changesRequested: 'Changes requested',
  reviewedBeforeMerge: 'Reviewed before merge',
} as const;

/** When reviews happen, and how long pull requests wait that are opened then. */
export const reviewHoursWords = {
  title: 'When reviews happen',
  reviews: 'Reviews',
  wait: 'Wait',
  byHour: (zone: string) => `Reviews by hour and weekday, ${zone}`,
  waitByHour: (pullRequests: string, zone: string, of: string) =>
    `Median first review wait by hour and weekday of opening, ${zone} · ${pullRequests}${of}`,
  latest: (window: string, all: string) => ` of ${window}, the latest of ${all}`,
  waitTitle: 'First review wait, median',
  pullRequest: 'pull request',
  pullRequests: 'pull requests',
  reviewedPullRequests: 'reviewed pull requests',
} as const;

export const teamsInRepositoriesWords = {
  whoReviews: 'Who reviews where',
  smallerOnesNotShown: (others: number) => ` · ${counted(others, 'review', 'reviews')} of smaller ones not shown`,
  reviewsByReviewersTeam: (others: string) =>
    `Reviews by the reviewer’s team and repository · people in two teams count in both${others}`,
} as const;
