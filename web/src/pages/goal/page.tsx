import { useMemo } from 'react';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import type { CategoryChart } from '../../../../src/charts/chart-description.ts';
import type { GoalDocument, GoalHistory, GoalStanding } from '../../ask/goal-standing.ts';
import { useIdInPath } from '../../ask/id-in-path.ts';
import { addsUp, isMetric } from '../../ask/metric-facts.ts';
import { ask, type MetricBody, type Question, type RequestFilters } from '../../ask/question.ts';
import {
  isChangedMeanwhile,
  putDocument,
  removeDocument,
  type Tagged,
  useDocument,
  useDocuments,
} from '../../ask/stored-documents.ts';
import { useJson } from '../../ask/use-answer.ts';
import { useAction } from '../../view/action.tsx';
import { boardWords } from '../../view/board-words.ts';
import { ChartCard } from '../../view/chart-card.tsx';
import { ConfirmButton } from '../../view/confirm.tsx';
import { Facts } from '../../view/facts.tsx';
import { shown, shownDay, shownWindow } from '../../view/format.ts';
import { GoalForm } from '../../view/goal-form.tsx';
import { GoalPill } from '../../view/goal-pill.tsx';
import { aggregationIn, distanceWords, measureOfGoal, metricOfGoal, targetWords } from '../../view/goal-values.ts';
import { goalStateWords, goalWords, periodStateWords } from '../../view/goal-words.ts';
import { Page } from '../../view/page.tsx';
import { seenByWords, useIsOwn } from '../../view/seen-by.tsx';
import { Answered, State } from '../../view/states.tsx';
import { showToast } from '../../view/toast.tsx';

/** One goal: how it stands, and what it was in every period. */
export default function GoalPage() {
  const slug = useIdInPath();
  const read = useDocument<GoalDocument>('goals', slug);
  if (read.error?.status === 404 || read.error?.status === 400) return <NoSuchGoal />;
  if (!read.data || read.isOld)
    return (
      <Page title={goalWords.goal} hasControls={false} sentence=" ">
        <Answered answer={{ ...read, data: undefined }} height={420} what={goalWords.goal}>
          {() => null}
        </Answered>
      </Page>
    );
  return <ShownGoal key={slug} slug={slug} read={read.data} />;
}

const NoSuchGoal = () => (
  <Page title={goalWords.goal} hasControls={false} hasRecords={false}>
    <section className="card">
      <State
        kind="empty"
        title={goalWords.noSuchGoal}
        actions={
          <Link href="/goal" className="button primary">
            {goalWords.allGoals}
          </Link>
        }
      >
        <p>{goalWords.noSuchGoalMore}</p>
      </State>
    </section>
  </Page>
);

interface ShownGoalProps {
  readonly slug: string;
  readonly read: Tagged<GoalDocument>;
}

function ShownGoal({ slug, read }: ShownGoalProps) {
  const { document: goal } = read;
  const history = useJson<GoalHistory>(`/goals/${encodeURIComponent(slug)}/history`);
  const list = useDocuments<GoalDocument & GoalStanding>('goals');
  const listed = list.data?.find((one) => one.goal === slug);
  const isOwn = useIsOwn();
  const own = isOwn(listed?.owner ?? null);
  const { data } = history;
  return (
    <Page
      title={goal.title}
      hasControls={false}
      {...(data ? { beside: <GoalPill state={data.state} /> } : {})}
      sentence={
        data
          ? goalWords.sentence(goalStateWords[data.state], targetWords(goal), goalWords.periodNames[goal.period])
          : ' '
      }
    >
      <div className="columns">
        <Answered answer={history} height={360} what={goalWords.theHistory}>
          {(found) => <HistoryChart goal={goal} history={found} />}
        </Answered>
        <Facts
          title={goalWords.goal}
          facts={[
            [goalWords.metric, metricOfGoal(goal)],
            [goalWords.target, targetWords(goal)],
            [goalWords.value, shown(data?.latest?.value ?? null, measureOfGoal(goal))],
            [goalWords.distance, distanceWords(goal, data?.latest?.value)],
            [goalWords.period, goalWords.periods[goal.period]],
            [goalWords.from, goal.from ? shownDay(goal.from) : '–'],
            [goalWords.until, goal.until ? shownDay(goal.until) : goalWords.noEnd],
            ...(listed
              ? [
                  [goalWords.owner, listed.owner?.name ?? '–'] as const,
                  [boardWords.seenBy, seenByWords(goal.visible_to, own)] as const,
                ]
              : []),
          ]}
        />
      </div>
      {listed?.may_change && <EditGoal slug={slug} read={read} />}
    </Page>
  );
}

/** The question whose answer the periods have: the rows behind them, and the request. */
function questionOf(goal: GoalDocument, { periods }: GoalHistory): Question | undefined {
  const [first, last] = [periods[0], periods.at(-1)];
  if (!isMetric(goal.metric) || !first || !last) return undefined;
  const aggregation = aggregationIn(goal.aggregation);
  const filters = { start_date: first.start_date, end_date: last.end_date, ...goal.filters } as RequestFilters;
  const body: MetricBody = { filters, date_level: goal.period, ...(aggregation ? { aggregation } : {}) };
  return ask(goal.metric, body);
}

function HistoryChart({ goal, history }: { readonly goal: GoalDocument; readonly history: GoalHistory }) {
  const question = questionOf(goal, history);
  const chart = useMemo<CategoryChart>(() => {
    const canAdd = isMetric(goal.metric) && addsUp(goal.metric, aggregationIn(goal.aggregation));
    return {
      kind: canAdd ? 'bar' : 'line',
      title: goalWords.history,
      measure: measureOfGoal(goal),
      categories: history.periods.map(({ start_date, end_date, state }) => ({
        label: shownDay(start_date),
        name: `${shownWindow({ start: start_date, end: end_date })} · ${periodStateWords[state] ?? state}`,
      })),
      series: [
        {
          name: metricOfGoal(goal),
          points: history.periods.map(({ value, n }) => (canAdd ? { value } : { value, n })),
        },
      ],
      goals: [{ value: goal.value, title: goal.title }],
    };
  }, [goal, history]);
  const isEmpty = history.periods.every(({ value }) => value === null);
  if (!question)
    return (
      <section className="card" aria-label={goalWords.history}>
        <p className="secondary">{goalWords.noHistory}</p>
      </section>
    );
  return (
    <ChartCard
      chart={chart}
      title={goalWords.history}
      subtitle={goalWords.historyOf(metricOfGoal(goal), goalWords.periodNames[goal.period])}
      question={question}
      empty={
        isEmpty ? (
          <p className="secondary">{history.state === 'limited' ? goalWords.limited : goalWords.noHistory}</p>
        ) : undefined
      }
    />
  );
}

function EditGoal({ slug, read }: ShownGoalProps) {
  const { document: goal, etag } = read;
  const action = useAction();
  const remove = () =>
    action.run(async () => {
      await removeDocument('goals', slug);
      const undo = async () => {
        await putDocument('goals', slug, goal);
        return goalWords.back(goal.title);
      };
      showToast({ text: goalWords.removed(goal.title), undo });
      navigate('/goal');
      return '';
    });
  return (
    <section className="card" aria-labelledby="edit-goal">
      <header>
        <h2 id="edit-goal">{goalWords.editGoal}</h2>
        <ConfirmButton
          label={goalWords.remove}
          title={goalWords.removeTitle(goal.title)}
          verb={goalWords.removeVerb}
          onConfirm={() => void remove()}
        >
          <p>{goalWords.removeMore}</p>
        </ConfirmButton>
      </header>
      <GoalForm
        key={etag}
        goal={goal}
        verb={goalWords.save}
        onSave={async (changed) => {
          try {
            await putDocument('goals', slug, changed, etag);
          } catch (problem) {
            if (isChangedMeanwhile(problem as { readonly status: number })) throw new Error(goalWords.changedMeanwhile);
            throw problem;
          }
          showToast({ text: goalWords.saved });
          return '';
        }}
      />
    </section>
  );
}
