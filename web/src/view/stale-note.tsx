import type { StaleTable } from '../ask/data-status.ts';
import { isOwner, useSession } from '../session.ts';
import { PageLink } from './page-link.tsx';
import { staleAdvice, staleWords } from './stale-words.ts';

/** What brings nothing new any more, and what to do about it. */
export default function StaleNote({ stale, zone }: { readonly stale: readonly StaleTable[]; readonly zone: string }) {
  const session = useSession();
  const advice = staleAdvice(stale, isOwner(session));
  return (
    <p className="stale-note" role="status">
      {staleWords(stale, zone, new Date()).join(' ')}{' '}
      {isOwner(session) ? <PageLink to="/settings/connections">{advice}</PageLink> : advice}
    </p>
  );
}
