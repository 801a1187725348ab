export const changeSentenceWords = {
  theseFiguresNot: 'Your role doesn’t include these figures.',
  thereNo: (what: string, ofWhom: string) => `No ${what}${ofWhom} in this window.`,
  pickComparisonToSee: 'Pick a comparison to see what changed.',
} as const;
