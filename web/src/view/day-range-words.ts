export const dayRangeWords = {
  from: 'From',
  to: 'To',
  firstDayMustNot: 'The first day must not be after the last.',
  showTheseDays: 'Show these days',
} as const;
