export const figureTabsWords = {
  mainChart: 'Main chart',
} as const;
