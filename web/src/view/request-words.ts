export const shownRequestWords = {
  plumbQuery: 'plumb query',
  languageRequest: 'Language of the request',
  copy: 'Copy',
} as const;
