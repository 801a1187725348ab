/** Copying a page as a board. */
export const copyPageWords = {
  title: 'Copy a page',
  hint: 'A panel for each chart that is one question. The page stays as it is.',
  page: 'Page',
  pages: {
    overview: 'Overview',
    delivery: 'Delivery',
    'cycle-time': 'Cycle time',
    reviews: 'Reviews',
    ai: 'AI',
  },
  panels: (count: number, leftOut: readonly string[]) =>
    `${count} panels.${leftOut.length === 0 ? '' : ` Not copied: ${leftOut.join(', ')}.`}`,
  copy: 'Make the board',
} as const;
