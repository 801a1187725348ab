export const formWords = {
  needed: '(needed)',
} as const;
