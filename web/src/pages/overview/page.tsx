import { keyFigures } from '../../../../src/conclusions/key-figure-words.ts';
import { useFigures } from '../../ask/figure.ts';
import { useView } from '../../ask/use-view.ts';
import { Page } from '../../view/page.tsx';
import { Tile } from '../../view/tile.tsx';
import { useFigureTabs } from '../../view/use-figure-tabs.tsx';
import { AttentionStrip } from './attention-strip.tsx';
import { MainChart } from './main-chart.tsx';
import { OverviewSentence } from './sentence.tsx';
import { WhatChangedMost } from './what-changed-most.tsx';
import { overviewWords } from './words.ts';

/** Whether delivery got better or worse, and where. */
export default function Overview() {
  const view = useView();
  const figures = useFigures(view, keyFigures);
  const { chosen, tabOf, list, panel } = useFigureTabs(figures);
  const [figure, key] = [figures[chosen], keyFigures[chosen]];
  return (
    <Page
      title={overviewWords.overview}
      sentence={<OverviewSentence view={view} figures={figures} />}
      figures={figures}
    >
      {list}
      <div className="tiles">
        {figures.map((one, at) => (
          <Tile key={one.spec.metric} figure={one} tab={tabOf(at)} of={keyFigures[at]?.of ?? ''} />
        ))}
      </div>
      <div className="columns">
        {figure && key && panel(<MainChart view={view} figure={figure} of={key} />)}
        <WhatChangedMost view={view} />
      </div>
      <AttentionStrip />
    </Page>
  );
}
