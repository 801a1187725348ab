import type { KnownGroup } from '../../../../src/charts/metric-chart.ts';
import { useFigures } from '../../ask/figure.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import { useView, type View } from '../../ask/use-view.ts';
import { ChangeSentence } from '../../view/change-sentence.tsx';
import { ComputedTile } from '../../view/computed-tile.tsx';
import { FigureChart } from '../../view/figure-chart.tsx';
import { counted } from '../../view/format.ts';
import { GroupedChart } from '../../view/grouped-chart.tsx';
import { Page } from '../../view/page.tsx';
import { Tile } from '../../view/tile.tsx';
import { useFigureTabs } from '../../view/use-figure-tabs.tsx';
import { useWhoseWords } from '../../view/whose-words.ts';
import { FlakyCommits, flakyId, useFlaky } from './flaky.tsx';
import { failedQuestion, flakyCommits, keyFigures, repeatedQuestion } from './questions.ts';
import { Workflows } from './workflows.tsx';

const conclusions: readonly KnownGroup[] = [
  { key: 'success', colour: 1 },
  { key: 'failure', colour: 5 },
  { key: 'timed_out', colour: 6 },
  { key: 'cancelled', colour: 4 },
  { key: 'skipped', colour: 2 },
];
const ofCancelled = { where: { run_conclusion: 'cancelled' } } as const;
const runsByConclusion = { metric: 'workflow-runs-count', by: 'run_conclusion' } as const;

/** Whether the machines help: whether runs pass, how long they take, and how much work is thrown away. */
export default function Ci() {
  const view = useView();
  const figures = useFigures(view, keyFigures);
  const [success, , , cost, cancelled] = figures;
  const { chosen, tabOf, list, panel } = useFigureTabs(figures);
  const figure = figures[chosen];
  const called = [
    'the share of runs that succeed',
    'duration',
    'the 95th percentile of duration',
    'the cost',
    'time of cancelled runs',
  ];
  return (
    <Page
      title="CI"
      sentence={
        <ChangeSentence
          view={view}
          figures={figures.map((figure, at) => ({ figure, called: called[at] ?? '' }))}
          what="runs"
        />
      }
      figures={figures}
    >
      {list}
      <div className="tiles">
        {figures.map((one, at) => (
          <Tile key={one.label} figure={one} tab={tabOf(at)} of="runs" {...(one === cancelled ? ofCancelled : {})} />
        ))}
        <FlakyTile view={view} />
      </div>
      {figure &&
        panel(
          figure === success ? (
            <GroupedChart
              view={view}
              spec={runsByConclusion}
              kind="stacked-bar"
              title={`Runs per ${view.level}, by conclusion`}
              subtitle="Runs still under way have none"
              what="runs"
              height={340}
              known={conclusions}
            />
          ) : (
            <FigureChart
              key={figure.label}
              view={view}
              figure={figure}
              kind={figure === cost || figure === cancelled ? 'bar' : 'line'}
              title={`${figure.label} per ${view.level}`}
              subtitle={figure.meaning}
              what="runs"
              of="runs"
              height={340}
              {...(figure === cancelled ? ofCancelled : {})}
            />
          ),
        )}
      <Workflows view={view} />
      <FlakyCommits view={view} />
    </Page>
  );
}

function FlakyTile({ view }: { readonly view: View }) {
  const { commits, answer } = useFlaky(view);
  const { ofWhom } = useWhoseWords();
  const before = useAnswers([
    view.before && repeatedQuestion(view, view.before),
    view.before && failedQuestion(view, view.before),
  ]);
  const [repeated, failing] = before.map(({ data }) => data?.rows);
  return (
    <ComputedTile
      label="Flaky commits"
      meaning="Commits on which one workflow failed in one run and passed in another: nothing changed in between."
      measure="count"
      value={answer.data && answer.repeated > 0 ? commits.length : null}
      before={
        view.before && (repeated && failing && repeated.length > 0 ? flakyCommits(repeated, failing).length : null)
      }
      isComparable={view.isComparable('workflow-runs-count')}
      of={
        answer.repeated === 0
          ? `no workflow${ofWhom} ran twice on one commit`
          : `of ${counted(answer.repeated, 'commit', 'commits')} with several runs of a workflow`
      }
      answer={answer}
      questions={[repeatedQuestion(view, view.window), failedQuestion(view, view.window)]}
      onOpen={() => document.getElementById(flakyId)?.scrollIntoView({ block: 'start' })}
    />
  );
}
