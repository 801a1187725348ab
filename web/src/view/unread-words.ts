export const unreadNoteWords = {
  partThisAddressIsnt: 'Part of this address isn’t used here:',
  pageShowsWhat: (more: number) => `${more > 0 ? ` and ${more} more` : ''}. The page ignores it.`,
} as const;
