import { type ReactNode, useEffect } from 'react';
import { usePathname } from 'wouter/use-browser-location';
import { notLoaded } from '../../../src/conclusions/change-words.ts';
import type { Figure } from '../ask/figure.ts';
import { isAnyOld } from '../ask/use-answer.ts';
import { useView } from '../ask/use-view.ts';
import { useSession } from '../page-session.ts';
import { nameInNavigation } from '../routes.ts';
import { cutWords, noDataWords } from './cut-words.ts';
import { DataStates } from './data-states.tsx';
import { FilterBar } from './filter-bar.tsx';
import { PageFoot } from './page-foot.tsx';
import { PageNotices } from './page-notices.tsx';
import { PrintDefinitions, PrintHead } from './print-parts.tsx';
import { UnlessAllFailed } from './unless-all-failed.tsx';

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
  const { organisation } = useSession();
  const endsEarly = cutWords(view);
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
      <PageNotices hasRecords={hasRecords} />
      <header className="page-head">
        <div className="row page-title">
          <h1 className={nameInNavigation(usePathname()) === title ? 'is-in-top-bar' : undefined}>
            {title}
            {beside && <span className="secondary page-beside"> {beside}</span>}
          </h1>
          {actions && !hasControls && <div className="row">{actions}</div>}
        </div>
        {said !== undefined && <p className={isOld ? 'sentence is-old' : 'sentence'}>{said}</p>}
        {hasControls && endsEarly && <p className="small secondary">{endsEarly}</p>}
      </header>
      <div className="stack">
        <DataStates>
          <UnlessAllFailed>{children}</UnlessAllFailed>
        </DataStates>
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
