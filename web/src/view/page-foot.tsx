import { Fragment, type ReactNode } from 'react';
import type { Figure } from '../ask/figure.ts';
import { useDataStatus } from '../ask/use-data-status.ts';
import { useView } from '../ask/use-view.ts';
import { CopyButton } from './copy.tsx';
import { useDataThrough } from './freshness.tsx';
import { LeftOut } from './left-out.tsx';
import { shellWords } from './shell-words.ts';

interface PageFootProps {
  readonly note?: ReactNode;
  readonly figures?: readonly Figure[] | undefined;
}

/** How new the data are, and how to take the view elsewhere. */
export function PageFoot({ note, figures = [] }: PageFootProps) {
  const { zone } = useView();
  const { data } = useDataStatus();
  const through = useDataThrough();
  return (
    <footer className="page-foot">
      <span>
        {[through, shellWords.weeksIn(zone), data && data.syncing.length > 0 && shellWords.syncingNow]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <CopyButton text={() => location.href} label={shellWords.copyLink} />
      <a href="/docs">API</a>
      {note && <span>{note}</span>}
      {figures.length > 0 && (
        <>
          <details className="left-out">
            <summary>{shellWords.howCalculated}</summary>
            <dl>
              {figures.map(({ label, meaning }) => (
                <Fragment key={label}>
                  <dt>{label}</dt>
                  <dd>{meaning}</dd>
                </Fragment>
              ))}
            </dl>
          </details>
          <LeftOut figures={figures} />
        </>
      )}
    </footer>
  );
}
