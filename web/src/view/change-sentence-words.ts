export const changeSentenceWords = {
  theseFiguresNot: 'These figures are not for your role.',
  thereNo: (what: string, ofWhom: string) => `There are no ${what}${ofWhom} in this window.`,
  pickComparisonToSee: 'Pick a comparison to see what changed.',
} as const;
