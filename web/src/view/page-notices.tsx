import { FlaskConical } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { usePathname, useSearch } from 'wouter/use-browser-location';
import { choicesOfPath } from '../ask/page-choices.ts';
import { missingStreams } from '../ask/status-answer.ts';
import { useDataStatus } from '../ask/use-data-status.ts';
import { useView } from '../ask/use-view.ts';
import { unreadParameters } from '../ask/view-state.ts';
import { isOwner, useSession } from '../page-session.ts';
import { shownDay } from './format.ts';
import { Notice } from './notice.tsx';
import { pageNoticesWords } from './notice-words.ts';
import { PageLink } from './page-link.tsx';
import { VisibilityNote } from './visibility-note.tsx';

/** Few pages have anything to note, so notes are loaded apart. */
const StaleNote = lazy(() => import('./stale-note.tsx'));
const UnreadNote = lazy(() => import('./unread-note.tsx'));

/** What holds for the whole page: late data, whose work it shows, that it is made up, and what of the address means nothing. */
export function PageNotices({ hasRecords }: { readonly hasRecords: boolean }) {
  const { zone } = useView();
  const { data: status } = useDataStatus();
  const [stale, missing] = status ? [status.stale, missingStreams(status)] : [[], []];
  const unread = unreadParameters(useSearch(), choicesOfPath(usePathname()));
  return (
    <>
      {unread.length > 0 && (
        <Suspense>
          <UnreadNote unread={unread} />
        </Suspense>
      )}
      {stale.length + missing.length > 0 && (
        <Suspense>
          <StaleNote stale={stale} missing={missing} zone={zone} />
        </Suspense>
      )}
      {hasRecords && <VisibilityNote />}
      <SampleNote filledSince={status?.filled_since ?? null} />
    </>
  );
}

function SampleNote({ filledSince }: { readonly filledSince: string | null }) {
  const { today } = useView();
  const session = useSession();
  if (!session.organisation.is_demo) return null;
  return (
    <Notice
      icon={FlaskConical}
      action={isOwner(session) && <PageLink to="/settings/connections">Connect a source</PageLink>}
    >
      <p>
        <b>{pageNoticesWords.thisSampleData}</b>
        {filledSince && pageNoticesWords.dataFromBeforeStill(shownDay(filledSince.slice(0, 10), today))}
        {isOwner(session) && pageNoticesWords.connectYourTools}
      </p>
    </Notice>
  );
}
