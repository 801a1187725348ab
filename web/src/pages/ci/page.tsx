import type { KnownGroup } from '../../../../src/charts/metric-chart.ts';
import { useFigures } from '../../ask/figure.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import { useView, type View } from '../../ask/use-view.ts';
import { ChangeSentence } from '../../view/change-sentence.tsx';
import { ComputedTile } from '../../view/computed-tile.tsx';
import { FigureChart } from '../../view/figure-chart.tsx';
import { GroupedChart } from '../../view/grouped-chart.tsx';
import { Page } from '../../view/page.tsx';
import { Tile } from '../../view/tile.tsx';
import { useFigureTabs } from '../../view/use-figure-tabs.tsx';
import { useWhoseWords } from '../../view/whose-words.ts';
import { FlakyCommits, flakyId, useFlaky } from './flaky.tsx';
import { failedQuestion, flakyCommits, keyFigures, repeatedQuestion } from './questions.ts';
import { ciWords } from './words.ts';
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
    ciWords.shareRunsThatSucceed,
    'duration',
    ciWords.n95thPercentileDuration,
    ciWords.cost,
    ciWords.timeCancelledRuns,
  ];
  return (
    <Page
      title={ciWords.ci}
      sentence={
        <ChangeSentence
          view={view}
          figures={figures.map((figure, at) => ({ figure, called: called[at] ?? '' }))}
          what={ciWords.runs}
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
              title={ciWords.runsPerByConclusion(view.level)}
              subtitle={ciWords.runsStillUnderWay}
              what={ciWords.runs}
              height={340}
              known={conclusions}
            />
          ) : (
            <FigureChart
              key={figure.label}
              view={view}
              figure={figure}
              kind={figure === cost || figure === cancelled ? 'bar' : 'line'}
              title={ciWords.per(figure.label, view.level)}
              subtitle={figure.meaning}
              what={ciWords.runs}
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
      label={ciWords.flakyCommits}
      meaning={ciWords.commits}
      measure="count"
      value={answer.data && answer.repeated > 0 ? commits.length : null}
      before={
        view.before && (repeated && failing && repeated.length > 0 ? flakyCommits(repeated, failing).length : null)
      }
      isComparable={view.isComparable('workflow-runs-count')}
      of={answer.repeated === 0 ? ciWords.noWorkflowRanTwice(ofWhom) : ciWords.withSeveralRunsWorkflow(answer.repeated)}
      answer={answer}
      questions={[repeatedQuestion(view, view.window), failedQuestion(view, view.window)]}
      onOpen={() => document.getElementById(flakyId)?.scrollIntoView({ block: 'start' })}
    />
  );
}
