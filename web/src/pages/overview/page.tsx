import { useFigures } from '../../ask/figure.ts';
import { useView } from '../../ask/use-view.ts';
import { linkTo } from '../../ask/view-state.ts';
import { DeploymentsByResult } from '../../view/deployments-by-result.tsx';
import { Page } from '../../view/page.tsx';
import { Tile } from '../../view/tile.tsx';
import { keyFigures } from './questions.ts';
import { OverviewSentence } from './sentence.tsx';
import { WhatChangedMost } from './what-changed-most.tsx';

/** Whether delivery got better or worse, and where. */
export default function Overview() {
  const view = useView();
  const figures = useFigures(view, keyFigures);
  return (
    <Page title="Overview" sentence={<OverviewSentence view={view} figures={figures} />} figures={figures}>
      <div className="tiles">
        {figures.map((figure, at) => (
          <Tile
            key={figure.spec.metric}
            figure={figure}
            href={linkTo(keyFigures[at]?.page ?? '/', view.state)}
            of={keyFigures[at]?.of ?? ''}
          />
        ))}
      </div>
      <div className="columns">
        <DeploymentsByResult view={view} />
        <WhatChangedMost view={view} />
      </div>
    </Page>
  );
}
