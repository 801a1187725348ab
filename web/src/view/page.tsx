import { FlaskConical } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import type { Figure } from '../ask/figure.ts';
import { missingStreams } from '../ask/status-answer.ts';
import { isAnyOld } from '../ask/use-answer.ts';
import { useDataStatus } from '../ask/use-data-status.ts';
import { useView } from '../ask/use-view.ts';
import { isOwner, useSession } from '../page-session.ts';
import { notLoaded } from './change-words.ts';
import { cutWords, noDataWords } from './cut-words.ts';
import { DataStates } from './data-states.tsx';
import { FilterBar } from './filter-bar.tsx';
import { shownDay } from './format.ts';
import { PageFoot } from './page-foot.tsx';
import { PageLink } from './page-link.tsx';
import { PrintDefinitions, PrintHead } from './print-parts.tsx';
import { VisibilityNote } from './visibility-note.tsx';

/** Few pages have anything to note, so the note is loaded apart. */
const StaleNote = lazy(() => import('./stale-note.tsx'));

interface PageProps {
  /** The one heading of the first level, and the title of the window. */
  readonly title: string;
  /** Beside the title, smaller: the repository and number of a pull request. */
  readonly beside?: ReactNode;
  /** The main result in one sentence, computed from the answers of the page. */
  readonly sentence?: ReactNode;
  /** Whether the sentence, or an answer besides the figures, still belongs to an earlier range. */
  readonly isSentenceOld?: boolean;
  /** Whether range, comparison and filters apply to this page. */
  readonly hasControls?: boolean;
  /** Whether it shows anything of the organisation's records. */
  readonly hasRecords?: boolean;
  /** Whether something here is compared with another window. */
  readonly hasComparison?: boolean;
  /** Whether it is about one person: then no other person can be chosen. */
  readonly isOfPerson?: boolean;
  /** What can be done on this page: at the end of the controls, or on the right of the title where there are none. */
  readonly actions?: ReactNode;
  /** At the end of the foot. */
  readonly note?: ReactNode;
  /** The key figures, of which the foot says what was left out and why. */
  readonly figures?: readonly Figure[];
  readonly children: ReactNode;
}

/** The head, the parts and the foot of every page, in this order. */
export function Page({
  title,
  beside,
  sentence,
  isSentenceOld = false,
  hasControls = true,
  hasRecords = true,
  hasComparison = true,
  isOfPerson = false,
  actions,
  note,
  figures,
  children,
}: PageProps) {
  const view = useView();
  const session = useSession();
  const { data: status } = useDataStatus();
  const [stale, missing] = status ? [status.stale, missingStreams(status)] : [[], []];
  const endsEarly = cutWords(view);
  const { organisation } = session;
  useEffect(() => {
    document.title = `${title} · ${organisation.name} · Plumb`;
  }, [title, organisation.name]);
  // A sentence about missing figures would be wrong.
  const isIncomplete = figures?.some(({ error }) => error && !error.isNotAllowed) ?? false;
  const noData = hasControls ? noDataWords(view.window, view.reach, view.today) : undefined;
  const said = noData ?? (isIncomplete ? notLoaded : sentence);
  const isOld = isSentenceOld || isAnyOld(figures ?? []);
  const content = (
    <div className="page">
      {hasControls && <PrintHead title={title} isOfPerson={isOfPerson} />}
      {organisation.is_demo && (
        <p className="notice">
          <FlaskConical className="icon" aria-hidden="true" />
          <span>
            This is sample data.
            {status?.filled_since &&
              ` Data from before ${shownDay(status.filled_since.slice(0, 10), view.today)} is still being filled in.`}
            {isOwner(session) && (
              <>
                {' '}
                <PageLink to="/settings/connections">Connect a source</PageLink> to see your own.
              </>
            )}
          </span>
        </p>
      )}
      {stale.length + missing.length > 0 && (
        <Suspense>
          <StaleNote stale={stale} missing={missing} zone={view.zone} />
        </Suspense>
      )}
      {hasRecords && <VisibilityNote />}
      <header className="page-head">
        <div className="row page-title">
          <h1>
            {title}
            {beside && <span className="secondary page-beside"> {beside}</span>}
          </h1>
          {actions && !hasControls && <div className="row">{actions}</div>}
        </div>
        {said !== undefined && <p className={isOld ? 'sentence is-old' : 'sentence'}>{said}</p>}
        {hasControls && endsEarly && <p className="small secondary">{endsEarly}</p>}
      </header>
      <div className="stack">
        <DataStates>{children}</DataStates>
        <PageFoot note={note} figures={figures} />
        {figures && <PrintDefinitions figures={figures} />}
      </div>
    </div>
  );
  if (!hasControls) return content;
  return (
    <>
      <FilterBar view={view} hasComparison={hasComparison} isOfPerson={isOfPerson} action={actions} />
      {content}
    </>
  );
}
