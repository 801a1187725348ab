/** What charts say besides their numbers and the names of what they show. */
export const drawnWords = {
  months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  noDataYet: 'no data yet',
  noValues: 'no values',
  noValue: 'no value',
  notShown: (count: number) => `${count} more not shown`,
  seconds: (count: string) => `${count} seconds`,
  perLevel: (level: string) => `by ${level}`,
  tooFewForLine: (rows: number) => `Fewer than ${rows} in most periods, so no line is drawn`,
  drawnFrom: (period: string) => `drawn from ${period}`,
  weekOf: (day: string) => `week of ${day}`,
  from: (day: string) => `from ${day}`,
  to: (day: string) => `to ${day}`,
  soFar: 'so far',
  goal: (value: string) => `Goal ${value}`,
  moreMarks: (count: number) => `${count} earlier not listed`,
} as const;
