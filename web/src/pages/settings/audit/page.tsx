import { useState } from 'react';
import {
  actionInWords,
  actorInWords,
  detailsInWords,
  type ShownMoments,
  subjectInWords,
} from '../../../../../src/audit-words.ts';
import { metricLabels } from '../../../../../src/catalogue/labels/metric-labels.ts';
import { useJson } from '../../../ask/use-answer.ts';
import { useView } from '../../../ask/use-view.ts';
import { isOwner, useSession } from '../../../page-session.ts';
import { Table } from '../../../view/data-table.tsx';
import { shownDay, shownTime } from '../../../view/format.ts';
import { shownDate } from '../../../view/shown-date.ts';
import { Answered } from '../../../view/states.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { type AuditPage, auditPath } from './questions.ts';
import { auditWords } from './words.ts';

/** Who changed what, newest first, a page at a time. */
export default function AuditLogPage() {
  const session = useSession();
  const { zone } = useView();
  const moments: ShownMoments = { time: (at) => shownTime(at, zone), day: (day) => shownDay(day, '') };
  /** Where each page before this one began, for the way back. */
  const [begins, setBegins] = useState<readonly string[]>([]);
  const answer = useJson<AuditPage>(isOwner(session) ? auditPath(begins.at(-1)) : undefined);
  const newest = begins.length === 0 ? answer.data?.entries[0] : undefined;
  return (
    <SettingsPage
      title={auditWords.auditLog}
      ownersOnly={auditWords.auditLogOwnersOnly}
      sentence={
        newest
          ? auditWords.lastChange(
              actionInWords(newest.action),
              actorInWords(newest.actor?.name, newest.via),
              shownTime(newest.at, zone),
            )
          : ' '
      }
    >
      {() => (
        <section className="card" aria-labelledby="entries">
          <header>
            <div>
              <h2 id="entries">{auditWords.whoChangedWhat}</h2>
              <p className="subtitle">{auditWords.timesNothingHereCan(zone)}</p>
            </div>
          </header>
          <Answered answer={answer} what={auditWords.auditLogWhat}>
            {({ entries, before }) => (
              <div className="stack">
                <Table
                  caption={auditWords.auditLogNewestFirst}
                  rows={entries}
                  keyOf={(_, at) => String(at)}
                  columns={[
                    {
                      name: auditWords.when,
                      cell: ({ at }) => (
                        <time dateTime={at} title={shownDate(at, zone)}>
                          {shownTime(at, zone)}
                        </time>
                      ),
                      sortBy: ({ at }) => at,
                    },
                    { name: auditWords.who, cell: (entry) => actorInWords(entry.actor?.name, entry.via) },
                    {
                      name: auditWords.what,
                      cell: ({ action }) => <span className="whole">{actionInWords(action)}</span>,
                    },
                    {
                      name: auditWords.whatName,
                      // A reading of answers or salaries is that of a metric.
                      cell: ({ subject }) => metricLabels[subject.id] ?? subjectInWords(subject.id, subject.name),
                    },
                    {
                      name: auditWords.details,
                      cell: ({ details }) => <span className="small">{detailsInWords(details, moments)}</span>,
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
                    {auditWords.newer}
                  </button>
                  <button
                    type="button"
                    className="button"
                    disabled={before === null}
                    onClick={() => before !== null && setBegins([...begins, before])}
                  >
                    {auditWords.older}
                  </button>
                  {before === null && <span className="small secondary">{auditWords.thisWhereLogBegins}</span>}
                </div>
              </div>
            )}
          </Answered>
        </section>
      )}
    </SettingsPage>
  );
}
