import { useFigures } from '../../ask/figure.ts';
import { filterInWhere } from '../../ask/rows-behind.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { useView } from '../../ask/use-view.ts';
import { seesOnlyOwn, useSession } from '../../page-session.ts';
import { ChangeSentence } from '../../view/change-sentence.tsx';
import { FigureChart } from '../../view/figure-chart.tsx';
import { IgnoredFilters } from '../../view/ignored-filters.tsx';
import { Page } from '../../view/page.tsx';
import { Said } from '../../view/said.tsx';
import { Tile } from '../../view/tile.tsx';
import { FlowChart } from './flow.tsx';
import { oldWorkOf, oldWorkSentence } from './old-work.ts';
import { OpenWorkChart } from './open-work.tsx';
import { Projects } from './projects.tsx';
import { keyFigures, openWorkQuestion } from './questions.ts';

const completedWhere = filterInWhere('ticket_status', ['completed']);

/** Whether work is completed, how long it takes, and which work waits. */
export default function Issues() {
  const view = useView();
  const isOwn = seesOnlyOwn(useSession());
  const figures = useFigures(view, keyFigures);
  const [completed, started, cycleTime, points] = figures;
  const open = useAnswer(openWorkQuestion(view));
  const old = cycleTime && !cycleTime.isFirst ? oldWorkOf(open.data?.rows ?? [], view.today, cycleTime.now) : undefined;
  const called = [
    'completed issues',
    'started issues',
    'the time from creation to completion',
    'completed story points',
  ];
  return (
    <Page
      title="Issues"
      sentence={
        <>
          <ChangeSentence
            view={view}
            figures={figures.map((figure, at) => ({ figure, called: called[at] ?? '' }))}
            what="issues"
          />
          {old && (
            <>
              {' '}
              <Said parts={oldWorkSentence(old, isOwn)} />
            </>
          )}
        </>
      }
      isSentenceOld={open.isOld}
      figures={figures}
    >
      <IgnoredFilters view={view} of={[['issues-count', 'issues']]} />
      <div className="tiles">
        {completed && <Tile figure={completed} of="issues" where={completedWhere} />}
        {started && <Tile figure={started} of="issues" />}
        {cycleTime && <Tile figure={cycleTime} of="issues" where={completedWhere} />}
        {points && <Tile figure={points} where={completedWhere} />}
      </div>
      <div className="columns">
        <FlowChart view={view} />
        <OpenWorkChart view={view} />
      </div>
      <div className="columns even">
        {cycleTime && (
          <FigureChart
            view={view}
            figure={cycleTime}
            kind="line"
            title={`Creation to completion per ${view.level}, median`}
            subtitle="by the day of completion · dashed: the window before"
            what="completed issues"
          />
        )}
        {points && (
          <FigureChart
            view={view}
            figure={points}
            kind="bar"
            title={`Story points completed per ${view.level}`}
            subtitle="issues without an estimate count as 0"
            what="completed story points"
          />
        )}
      </div>
      <Projects view={view} />
    </Page>
  );
}
