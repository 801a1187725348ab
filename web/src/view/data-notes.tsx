import { useDataStatus } from '../ask/use-data-status.ts';
import type { View } from '../ask/use-view.ts';
import { isOwner, useSession } from '../session.ts';
import { cutWords, staleAdvice, staleWords } from './data-words.ts';
import { PageLink } from './page-link.tsx';

/** Above every page: what brings nothing new any more, and what to do about it. */
export function StaleNote({ zone }: Pick<View, 'zone'>) {
  const { data } = useDataStatus();
  const session = useSession();
  const stale = data?.stale ?? [];
  if (stale.length === 0) return null;
  const advice = staleAdvice(stale, isOwner(session));
  return (
    <p className="stale-note" role="status">
      {staleWords(stale, zone, new Date()).join(' ')}{' '}
      {isOwner(session) ? <PageLink to="/settings/connections">{advice}</PageLink> : advice}
    </p>
  );
}

/** Below the controls: where the days of the page end before they were asked to. */
export function EndsEarlyNote({ view }: { readonly view: View }) {
  const words = cutWords(view);
  return words === undefined ? null : <p className="small secondary">{words}</p>;
}
