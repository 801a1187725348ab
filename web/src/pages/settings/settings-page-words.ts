export const settingsPageWords = {
  settings: 'Settings',
  forOwners: 'for Owners.',
} as const;
