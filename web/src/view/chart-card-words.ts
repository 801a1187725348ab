export const cardViewsWords = {
  whatToShow: (title: string) => `${title}: what to show`,
  howItsCalculated: 'How it’s calculated',
  apiRequest: 'API request',
} as const;

export const chartWords = {
  arrowKeysWalkAlong: (sentence: string, opensRows: boolean) =>
    `${sentence} Arrow keys walk along it${opensRows ? ', Enter opens the rows' : ''}.`,
} as const;

export const medianAndSlowestWords = {
  slowestTenth: 'Slowest tenth',
} as const;
