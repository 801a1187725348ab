import type { SuggestedAccount } from './suggestions.ts';

export const matchingWords = {
  twoCalledMerged: (name: string) => `The two called ${name} are merged.`,
  nowPart: (name: string, survivorName: string) => `${name} is now part of ${survivorName}.`,
  twoCalledSeparateAgain: (name: string) => `The two called ${name} are separate again.`,
  andSeparateAgain: (name: string, survivorName: string) => `${name} and ${survivorName} are separate again.`,
  possibleDuplicates: 'Possible duplicates',
  theyShareFullName: 'They share a full name. You decide, and you can undo a merge.',
  listSuggestions: 'The list of suggestions',
  noTwoPeopleShare: 'No two people share a full name.',
  whoMayBeSame: 'Who may be the same',
  person: 'Person',
  may: 'May be',
  why: 'Why',
  change: 'Change',
  accountRows: (accountInWords: string, rows: number) => `the account ${accountInWords}, ${rows} rows`,
  keepFirst: 'Keep the first',
  keepSecond: 'Keep the second',
  mergeTwoCalled: (name: string) => `Merge the two called ${name}?`,
  merge: 'Merge them',
  staysAndGetsAddresses: (
    email: string | null,
    mergedUserId: string,
    fromEmail: string | null,
    fromMergedUserId: string,
  ) =>
    `${email ?? mergedUserId} stays, and gets the addresses, logins and work of ${fromEmail ?? fromMergedUserId}. You can undo this.`,
  nowAccountRowsCount: (accountInWords: string, name: string, rows: number) =>
    `${accountInWords} now belongs to ${name}: ${rows} rows count as theirs.`,
  match: 'Match to them',
  mergeTwoPeople: 'Merge two people',
  whoStays: (name: string) => `Who stays: ${name}`,
  whoStaysLabel: 'Who stays',
  whoBecomesPart: (name: string) => `Who becomes part of them: ${name}`,
  whoBecomesPartLabel: 'Who becomes part of them',
  mergeInto: (name: string, intoName: string) => `Merge ${name} into ${intoName}`,
  mergeIntoTitle: (name: string, intoName: string) => `Merge ${name} into ${intoName}?`,
  staysAndGetsAddressesLogins: (name: string, fromName: string) =>
    `${name} stays, and gets the addresses, logins and work of ${fromName}. You can undo this.`,
} as const;

export const accountInWords = ({ login, email, source }: SuggestedAccount): string =>
  `${login ?? email ?? 'unnamed'}${source ? ` (${source})` : ''}`;
