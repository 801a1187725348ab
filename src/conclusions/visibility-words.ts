type SeenPart = 'organisation' | 'teams' | 'squads' | 'self';

interface WhoseWords {
  /** The words after what a window has none of: `No deployments of yours`. */
  readonly ofWhom: string;
  /** The words before a change: `In your own work, `. Empty for those who see everything. */
  readonly inWhose: string;
  /** The same words between others: `your own work is`. */
  readonly whoIs: string;
}

/** The words for what the reader sees, where it is not everything: their sentences hold for nothing else. */
export const whoseWords: Readonly<Record<SeenPart, WhoseWords>> = {
  organisation: { ofWhom: '', inWhose: '', whoIs: 'you are' },
  teams: { ofWhom: ' you can see', inWhose: 'In the work you can see, ', whoIs: 'the work you can see is' },
  squads: { ofWhom: ' you can see', inWhose: 'In the work you can see, ', whoIs: 'the work you can see is' },
  self: { ofWhom: ' of yours', inWhose: 'In your own work, ', whoIs: 'your own work is' },
};
