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
import { useFigureTabs } from '../../view/use-figure-tabs.tsx';
import { FlowChart } from './flow.tsx';
import { oldWorkOf, oldWorkSentence } from './old-work-words.ts';
import { OpenWorkChart } from './open-work.tsx';
import { Projects } from './projects.tsx';
import { keyFigures, openWorkQuestion } from './questions.ts';
import { issuesWords } from './words.ts';

const completedWhere = filterInWhere('ticket_status', ['completed']);

/** Whether work is completed, how long it takes, and which work waits. */
export default function Issues() {
  const view = useView();
  const isOwn = seesOnlyOwn(useSession());
  const figures = useFigures(view, keyFigures);
  const [, started, cycleTime, points] = figures;
  const { chosen, tabOf, list, panel } = useFigureTabs(figures);
  const figure = figures[chosen];
  const open = useAnswer(openWorkQuestion(view));
  const old = cycleTime && !cycleTime.isFirst ? oldWorkOf(open.data?.rows ?? [], view.today, cycleTime.now) : undefined;
  const called = [
    issuesWords.completedIssues,
    issuesWords.startedIssues,
    issuesWords.timeFromCreation,
    issuesWords.completedStoryPoints,
  ];
  return (
    <Page
      title={issuesWords.issues}
      sentence={
        <>
          <ChangeSentence
            view={view}
            figures={figures.map((figure, at) => ({ figure, called: called[at] ?? '' }))}
            what={issuesWords.issuesWhat}
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
      {list}
      <div className="tiles">
        {figures.map((one, at) => (
          <Tile
            key={one.label}
            figure={one}
            tab={tabOf(at)}
            of="issues"
            {...(one === started ? {} : { where: completedWhere })}
          />
        ))}
      </div>
      <div className="columns">
        {figure &&
          panel(
            figure === cycleTime || figure === points ? (
              <FigureChart
                key={figure.label}
                view={view}
                figure={figure}
                kind={figure === points ? 'bar' : 'line'}
                title={issuesWords.per(figure.label, view.level)}
                subtitle={
                  figure === points ? issuesWords.issuesWithoutEstimateCount : issuesWords.medianByDayCompletion
                }
                what={figure === points ? issuesWords.completedStoryPoints : issuesWords.completedIssues}
                of="issues"
                height={320}
              />
            ) : (
              <FlowChart view={view} />
            ),
          )}
        <OpenWorkChart view={view} />
      </div>
      <Projects view={view} />
    </Page>
  );
}
