import { useState } from 'react';
import { useJson } from '../../../ask/use-answer.ts';
import { useView } from '../../../ask/use-view.ts';
import { isOwner, useSession } from '../../../page-session.ts';
import { Table } from '../../../view/data-table.tsx';
import { shownTime } from '../../../view/format.ts';
import { shownDate } from '../../../view/shown-date.ts';
import { Answered } from '../../../view/states.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { type AuditPage, actionInWords, actorInWords, auditPath, detailsInWords, subjectInWords } from './questions.ts';

/** Who changed what, newest first, a page at a time. */
export default function AuditLogPage() {
  const session = useSession();
  const { zone } = useView();
  /** Where each page before this one began, for the way back. */
  const [begins, setBegins] = useState<readonly string[]>([]);
  const answer = useJson<AuditPage>(isOwner(session) ? auditPath(begins.at(-1)) : undefined);
  const newest = begins.length === 0 ? answer.data?.entries[0] : undefined;
  return (
    <SettingsPage
      title="Audit log"
      ownersOnly="The audit log is"
      sentence={
        newest
          ? `Last change: ${actionInWords(newest.action)}, ${actorInWords(newest)}, ${shownTime(newest.at, zone)}.`
          : ' '
      }
    >
      {() => (
        <section className="card" aria-labelledby="entries">
          <header>
            <div>
              <h2 id="entries">Who changed what</h2>
              <p className="subtitle">Times of {zone}. Nothing here can be changed or removed.</p>
            </div>
          </header>
          <Answered answer={answer} what="The audit log">
            {({ entries, before }) => (
              <div className="stack">
                <Table
                  caption="Audit log, newest first"
                  rows={entries}
                  keyOf={(_, at) => String(at)}
                  columns={[
                    {
                      name: 'When',
                      cell: ({ at }) => (
                        <time dateTime={at} title={shownDate(at, zone)}>
                          {shownTime(at, zone)}
                        </time>
                      ),
                      sortBy: ({ at }) => at,
                    },
                    { name: 'Who', cell: (entry) => actorInWords(entry) },
                    {
                      name: 'What',
                      cell: ({ action }) => <span className="whole">{actionInWords(action)}</span>,
                    },
                    { name: 'Of what', cell: ({ subject }) => subjectInWords(subject) },
                    {
                      name: 'Details',
                      cell: ({ details }) => <span className="small">{detailsInWords(details, zone)}</span>,
                    },
                  ]}
                />
                <div className="row">
                  <button
                    type="button"
                    className="button"
                    disabled={begins.length === 0}
                    onClick={() => setBegins(begins.slice(0, -1))}
                  >
                    Newer
                  </button>
                  <button
                    type="button"
                    className="button"
                    disabled={before === null}
                    onClick={() => before !== null && setBegins([...begins, before])}
                  >
                    Older
                  </button>
                  {before === null && <span className="small secondary">This is where the log begins.</span>}
                </div>
              </div>
            )}
          </Answered>
        </section>
      )}
    </SettingsPage>
  );
}
