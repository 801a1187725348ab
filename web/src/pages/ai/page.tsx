import { useFigures } from '../../ask/figure.ts';
import { useView } from '../../ask/use-view.ts';
import { ChangeSentence } from '../../view/change-sentence.tsx';
import { FigureChart } from '../../view/figure-chart.tsx';
import { IgnoredFilters } from '../../view/ignored-filters.tsx';
import { Page } from '../../view/page.tsx';
import { Tile } from '../../view/tile.tsx';
import { useFigureTabs } from '../../view/use-figure-tabs.tsx';
import './ai.css';
import { CostByTool, PeopleByTool, SessionsByAgent } from './by-tool-charts.tsx';
import { keyFigures } from './questions.ts';
import { CostTile, CoveredTools, SeatsTile } from './seats-and-cost.tsx';
import { Sessions } from './sessions.tsx';
import { UsageTable } from './usage-table.tsx';
import { WithAndWithout } from './with-and-without.tsx';
import { aiWords } from './words.ts';

/** The number of people who use AI is a figure here, never a list in the order of use. */
export default function Ai() {
  const view = useView();
  const figures = useFigures(view, keyFigures);
  const [adoption, , , tokens] = figures;
  const { chosen, tabOf, list, panel } = useFigureTabs(figures);
  const figure = figures[chosen];
  const called = [aiWords.sharePeopleWhoUse, aiWords.shareAcceptedLines, aiWords.shareAiLines, 'tokens'];
  return (
    <Page
      title={aiWords.ai}
      sentence={
        <ChangeSentence
          view={view}
          figures={figures.map((figure, at) => ({ figure, called: called[at] ?? '' }))}
          what={aiWords.daysAiUse}
          counted="people"
        />
      }
      figures={figures}
    >
      <IgnoredFilters view={view} of={[['adoption-rate', aiWords.seatsUseAndCost]]} />
      {list}
      <div className="tiles">
        {figures.map((one, at) => (
          <Tile key={one.label} figure={one} tab={tabOf(at)} of={one === adoption ? 'people' : aiWords.daysUse} />
        ))}
        <CostTile view={view} />
        <SeatsTile view={view} />
      </div>
      <CoveredTools view={view} />
      <div className="columns">
        {figure &&
          panel(
            figure === adoption ? (
              <PeopleByTool view={view} />
            ) : (
              <FigureChart
                key={figure.label}
                view={view}
                figure={figure}
                kind={figure === tokens ? 'bar' : 'line'}
                title={aiWords.per(figure.label, view.level)}
                subtitle={figure.meaning}
                what={aiWords.aiUse}
                of={aiWords.daysUse}
                height={320}
              />
            ),
          )}
        <CostByTool view={view} />
      </div>
      <SessionsByAgent view={view} />
      <WithAndWithout view={view} />
      <UsageTable view={view} />
      <Sessions view={view} />
    </Page>
  );
}
