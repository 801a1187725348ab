export const choiceListWords = {
  search: (many: string) => `Search ${many}`,
  use: (search: string) => `Use “${search}”`,
  noInThisRange: (many: string) => `No ${many} in this range.`,
  noMatches: 'No matches.',
  moreTypeToFind: (count: number) => `${count} more: type to find them.`,
} as const;
