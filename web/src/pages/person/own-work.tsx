import { useMemo } from 'react';
import type { CategoryChart } from '../../../../src/charts/chart-description.ts';
import { type Figure, useFigures } from '../../ask/figure.ts';
import type { FullPerson } from '../../ask/people-answers.ts';
import type { Row } from '../../ask/send.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { useView, type View } from '../../ask/use-view.ts';
import { viewOf } from '../../ask/view.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { Table } from '../../view/data-table.tsx';
import { bucketCategory, shownTime } from '../../view/format.ts';
import { PageLink } from '../../view/page-link.tsx';
import { RequestText } from '../../view/shown-request.tsx';
import { Answered, NothingInWindow } from '../../view/states.tsx';
import '../../view/form.css';
import { Tile } from '../../view/tile.tsx';
import { Value } from '../../view/value.tsx';
import { maxRecent, recentPullRequests } from './questions.ts';
import { ownFigures, ownWorkWords } from './words.ts';

interface WorkOfPerson {
  readonly view: View;
  readonly figures: readonly Figure[];
}

/** The figures of one person: every question has them as its only member, whatever the address filters by. */
export function useOwnWork({ id }: FullPerson): WorkOfPerson {
  const { state, zone, today, data } = useView();
  const view = useMemo(
    () => viewOf({ ...state, filters: { ...state.filters, person: [id] } }, zone, today, data),
    [state, zone, today, data, id],
  );
  return { view, figures: useFigures(view, ownFigures) };
}

interface WorkProps {
  readonly person: FullPerson;
  readonly work: WorkOfPerson;
}

export function OwnWork({ person, work: { view, figures } }: WorkProps) {
  return (
    <>
      <div className="tiles">
        {figures.map((figure, at) => (
          <Tile
            key={figure.spec.metric}
            figure={figure}
            of={ownFigures[at]?.of ?? ''}
            where={{ merged_user_id: person.id }}
          />
        ))}
      </div>
      <OpenedOverTime person={person} view={view} figure={figures[0] as Figure} />
      <RecentPullRequests view={view} />
    </>
  );
}

function OpenedOverTime({ person, view, figure }: { person: FullPerson; view: View; figure: Figure }) {
  const { buckets, series, level } = figure;
  const title = ownWorkWords.pullRequestsOpenedPer(level);
  const chart = useMemo<CategoryChart>(
    () => ({
      kind: 'bar',
      title,
      measure: 'count',
      categories: buckets.map((bucket) => bucketCategory(bucket, level)),
      series: [{ name: 'opened', colour: 1, points: series.map(({ value }) => ({ value })) }],
    }),
    [title, buckets, series, level],
  );
  const isEmpty = series.every(({ value }) => !value);
  return (
    <ChartCard
      chart={figure.isFirst ? undefined : chart}
      title={title}
      question={{ ...figure.question, body: { ...figure.question.body, date_level: level } }}
      answer={figure}
      height={220}
      empty={
        isEmpty ? (
          <NothingInWindow what={ownWorkWords.pullRequests} window={view.window} question={figure.question} />
        ) : undefined
      }
      panelOf={({ category }) => {
        const bucket = buckets[category];
        return (
          bucket && {
            metric: 'pull-requests-count',
            window: { start: bucket.start, end: bucket.end },
            where: { merged_user_id: person.id },
          }
        );
      }}
    />
  );
}

function RecentPullRequests({ view }: { readonly view: View }) {
  const question = recentPullRequests(view);
  const answer = useAnswer(question);
  return (
    <section className="card" aria-labelledby="recent">
      <header>
        <div>
          <h2 id="recent">{ownWorkWords.newestPullRequests}</h2>
          <p className="subtitle">{ownWorkWords.newestFirst(maxRecent)}</p>
        </div>
      </header>
      <Answered answer={answer} what={ownWorkWords.listPullRequests}>
        {({ rows }) =>
          rows.length === 0 ? (
            <NothingInWindow what={ownWorkWords.pullRequests} window={view.window} question={question} />
          ) : (
            <Table
              caption={ownWorkWords.newestPullRequests}
              rows={rows}
              keyOf={({ pr_id }) => String(pr_id)}
              columns={[
                {
                  name: ownWorkWords.pullRequest,
                  cell: ({ pr_id, pr_title }) => (
                    <PageLink to={`/pull-requests/${encodeURIComponent(String(pr_id))}`}>
                      {String(pr_title ?? pr_id)}
                    </PageLink>
                  ),
                },
                { name: ownWorkWords.repository, cell: ({ repository_name }) => String(repository_name ?? '–') },
                { name: ownWorkWords.state, cell: ({ pr_state }) => String(pr_state ?? '–') },
                {
                  name: ownWorkWords.opened,
                  cell: ({ pr_created_at }) => shownTime(textIn(pr_created_at), view.zone),
                  sortBy: ({ pr_created_at }) => textIn(pr_created_at),
                },
                {
                  name: ownWorkWords.cycleTime,
                  isNumber: true,
                  cell: ({ cycle_time }) => (
                    <Value value={typeof cycle_time === 'number' ? cycle_time : null} measure="duration" />
                  ),
                },
              ]}
            />
          )
        }
      </Answered>
      <details>
        <summary>{ownWorkWords.request}</summary>
        <RequestText question={question} />
      </details>
    </section>
  );
}

const textIn = (value: Row[string] | undefined): string | null => (typeof value === 'string' ? value : null);
