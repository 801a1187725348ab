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
} as const;
