export const personPickerWords = {
  nameAddressOrLogin: 'Name, address or login',
  noOneMatches: 'No one matches',
} as const;
