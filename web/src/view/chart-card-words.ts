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
  median: 'Median',
  slowestTenth: 'Slowest tenth',
} as const;

export const chartCardWords = {
  chart: 'Chart',
  table: 'Table',
  period: 'Period',
} as const;

export const tableCardWords = {
  table: 'Table',
} as const;

export const dataTableWords = {
  cards: 'Cards',
  table: 'Table',
} as const;

export const chartTooltipWords = {
  total: 'Total',
} as const;

export const groupedChartWords = {
  unknown: 'Unknown',
  others: 'Others',
} as const;
