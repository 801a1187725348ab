import { useState } from 'react';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import type { GoalDocument, GoalStanding } from '../../ask/goal-standing.ts';
import { makeDocument, useDocuments } from '../../ask/stored-documents.ts';
import { useView } from '../../ask/use-view.ts';
import { linkTo } from '../../ask/view-state.ts';
import { Table } from '../../view/data-table.tsx';
import { shown, shownDay } from '../../view/format.ts';
import { GoalForm } from '../../view/goal-form.tsx';
import { GoalPill } from '../../view/goal-pill.tsx';
import { distanceWords, goalsSentence, measureOfGoal, metricOfGoal, targetWords } from '../../view/goal-values.ts';
import { goalWords } from '../../view/goal-words.ts';
import { Page } from '../../view/page.tsx';
import { PageLink } from '../../view/page-link.tsx';
import { Answered } from '../../view/states.tsx';
import { showToast } from '../../view/toast.tsx';

/** Every goal that the reader may see, how it stands, and how to make another. */
export default function Goals() {
  const { state } = useView();
  const answer = useDocuments<GoalDocument & GoalStanding>('goals');
  const [made, setMade] = useState(0);
  return (
    <Page
      title={goalWords.goals}
      hasControls={false}
      sentence={answer.data ? goalsSentence(answer.data) : ' '}
      actions={
        <PageLink to="/annotation" className="button">
          {goalWords.events}
        </PageLink>
      }
    >
      <Answered answer={answer} what={goalWords.theList}>
        {(goals) => (
          <div className="stack">
            <section className="card" aria-label={goalWords.goals}>
              {goals.length === 0 ? (
                <p className="secondary">{goalWords.none}</p>
              ) : (
                <Table
                  caption={goalWords.goals}
                  rows={goals}
                  keyOf={({ goal }) => goal ?? ''}
                  columns={[
                    {
                      name: goalWords.title,
                      cell: ({ goal = '', title }) => (
                        <Link href={linkTo(`/goal/${encodeURIComponent(goal)}`, state)}>{title}</Link>
                      ),
                      sortBy: ({ title }) => title,
                    },
                    { name: goalWords.state, cell: (goal) => <GoalPill state={goal.state} /> },
                    {
                      name: goalWords.value,
                      isNumber: true,
                      cell: (goal) => shown(goal.latest?.value ?? null, measureOfGoal(goal)),
                    },
                    { name: goalWords.target, cell: targetWords },
                    { name: goalWords.distance, cell: (goal) => distanceWords(goal, goal.latest?.value) },
                    { name: goalWords.metric, cell: metricOfGoal, sortBy: metricOfGoal },
                    { name: goalWords.period, cell: ({ period }) => goalWords.periods[period] },
                    {
                      name: goalWords.until,
                      cell: ({ until }) => (until ? shownDay(until) : goalWords.noEnd),
                      sortBy: ({ until }) => until ?? null,
                    },
                  ]}
                />
              )}
            </section>
            <section className="card" aria-labelledby="new-goal">
              <header>
                <h2 id="new-goal">{goalWords.newGoal}</h2>
              </header>
              <GoalForm
                key={made}
                verb={goalWords.make}
                onSave={async (goal) => {
                  const slug = await makeDocument(
                    'goals',
                    goal.title,
                    goal,
                    goals.map(({ goal: one = '' }) => one),
                  );
                  showToast({ text: goalWords.made(goal.title) });
                  setMade(made + 1);
                  navigate(linkTo(`/goal/${slug}`, state));
                  return '';
                }}
              />
            </section>
          </div>
        )}
      </Answered>
    </Page>
  );
}
