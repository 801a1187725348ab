import { ClockAlert } from 'lucide-react';
import type { StaleTable } from '../ask/status-answer.ts';
import { isOwner, useSession } from '../page-session.ts';
import { Notice } from './notice.tsx';
import { PageLink } from './page-link.tsx';
import { missingWords, staleAdvice, staleWords } from './stale-words.ts';

interface StaleNoteProps {
  readonly stale: readonly StaleTable[];
  /** Streams that bring nothing any more, or nothing yet, while others fill the same tables. */
  readonly missing: readonly string[];
  readonly zone: string;
}

/** Names the sources and streams that bring nothing new, and says what to do. */
export default function StaleNote({ stale, missing, zone }: StaleNoteProps) {
  const isForOwner = isOwner(useSession());
  const isOfSource = missing.length > 0 || stale.some(({ source }) => source !== null);
  const advice = staleAdvice(isOfSource, isForOwner);
  const words = [...staleWords(stale, zone, new Date()), ...(missing.length > 0 ? [missingWords(missing)] : [])];
  return (
    <Notice
      icon={ClockAlert}
      tone="late"
      isLive
      action={isForOwner && <PageLink to="/settings/connections">{advice}</PageLink>}
    >
      <p className="stale-note" data-stale={stale.length} data-missing={missing.length}>
        {words.map(({ what, so }) => (
          <span key={what}>
            <b>{what}</b> {so}{' '}
          </span>
        ))}
        {!isForOwner && advice}
      </p>
    </Notice>
  );
}
