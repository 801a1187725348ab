import type { StaleTable } from '../ask/status-answer.ts';
import { isOwner, useSession } from '../page-session.ts';
import { PageLink } from './page-link.tsx';
import { missingWords, staleAdvice, staleWords } from './stale-words.ts';

interface StaleNoteProps {
  readonly stale: readonly StaleTable[];
  /** Streams that bring nothing any more, or nothing yet, while others fill the same tables. */
  readonly missing: readonly string[];
  readonly zone: string;
}

/** Names the streams that bring nothing new, and says what to do. */
export default function StaleNote({ stale, missing, zone }: StaleNoteProps) {
  const isForOwner = isOwner(useSession());
  const isOfSource = missing.length > 0 || stale.some(({ source }) => source !== null);
  const advice = staleAdvice(isOfSource, isForOwner);
  const words = [...staleWords(stale, zone, new Date()), ...(missing.length > 0 ? [missingWords(missing)] : [])];
  return (
    <p className="stale-note" role="status" data-stale={stale.length} data-missing={missing.length}>
      {words.join(' ')} {isForOwner ? <PageLink to="/settings/connections">{advice}</PageLink> : advice}
    </p>
  );
}
