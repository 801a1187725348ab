import { useFigures } from '../../ask/figure.ts';
import { useView } from '../../ask/use-view.ts';
import { ChangeSentence } from '../../view/change-sentence.tsx';
import { IgnoredFilters } from '../../view/ignored-filters.tsx';
import { Page } from '../../view/page.tsx';
import { Tile } from '../../view/tile.tsx';
import './ai.css';
import { CostByTool, PeopleByTool, SessionsByAgent } from './by-tool-charts.tsx';
import { keyFigures } from './questions.ts';
import { CostTile, CoveredTools, SeatsTile } from './seats-and-cost.tsx';
import { Sessions } from './sessions.tsx';
import { UsageTable } from './usage-table.tsx';
import { WithAndWithout } from './with-and-without.tsx';

/** The number of people who use AI is a figure here, never a list in the order of use. */
export default function Ai() {
  const view = useView();
  const figures = useFigures(view, keyFigures);
  const [adoption, acceptance, aiShare, tokens] = figures;
  const called = ['the share of people who use AI', 'the share of accepted lines', 'the share of AI lines', 'tokens'];
  return (
    <Page
      title="AI"
      sentence={
        <ChangeSentence
          view={view}
          figures={figures.map((figure, at) => ({ figure, called: called[at] ?? '' }))}
          what="days of AI use"
          counted="people"
        />
      }
      figures={figures}
    >
      <IgnoredFilters view={view} of={[['adoption-rate', 'seats, use and cost']]} />
      <div className="tiles">
        {adoption && <Tile figure={adoption} of="people" />}
        <SeatsTile view={view} />
        {acceptance && <Tile figure={acceptance} of="days of use" />}
        <CostTile view={view} />
        {aiShare && <Tile figure={aiShare} of="days of use" />}
        {tokens && <Tile figure={tokens} />}
      </div>
      <CoveredTools view={view} />
      <div className="columns">
        <PeopleByTool view={view} />
        <CostByTool view={view} />
      </div>
      <SessionsByAgent view={view} />
      <WithAndWithout view={view} />
      <UsageTable view={view} />
      <Sessions view={view} />
    </Page>
  );
}
