import { useSession } from '../page-session.ts';

type SeenPart = ReturnType<typeof useSession>['visibility_notice']['visibility'];

interface WhoseWords {
  /** Behind what there is none of: `No deployments of yours`. */
  readonly ofWhom: string;
  /** Before what is said of a change: `In your own work, `. Empty for those who see everything. */
  readonly inWhose: string;
  /** What stands among others: `your own work is`. */
  readonly whoIs: string;
}

/** How sentences name what is seen where it is not everything: what they say holds of nothing else. */
const whoseWords: Readonly<Record<SeenPart, WhoseWords>> = {
  organisation: { ofWhom: '', inWhose: '', whoIs: 'you are' },
  teams: { ofWhom: ' you can see', inWhose: 'In the work you can see, ', whoIs: 'the work you can see is' },
  squads: { ofWhom: ' you can see', inWhose: 'In the work you can see, ', whoIs: 'the work you can see is' },
  self: { ofWhom: ' of yours', inWhose: 'In your own work, ', whoIs: 'your own work is' },
};

export const useWhoseWords = (): WhoseWords => whoseWords[useSession().visibility_notice.visibility];
