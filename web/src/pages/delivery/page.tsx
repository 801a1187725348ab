import { type Figure, useFigures } from '../../ask/figure.ts';
import { useView } from '../../ask/use-view.ts';
import { seesOnlyOwn, useSession } from '../../page-session.ts';
import { DeploymentsByResult } from '../../view/deployments-by-result.tsx';
import { FigureChart } from '../../view/figure-chart.tsx';
import { Page } from '../../view/page.tsx';
import { PhaseChart } from '../../view/phase-chart.tsx';
import { beforeInWords } from '../../view/range-words.ts';
import { Said } from '../../view/said.tsx';
import { Tile } from '../../view/tile.tsx';
import { type TileTab, useFigureTabs } from '../../view/use-figure-tabs.tsx';
import { Attribution } from './attribution-bar.tsx';
import { ByRepository } from './by-repository.tsx';
import { countsInWords } from './count-words.ts';
import { FailedDeployments, FailuresByReason } from './failures.tsx';
import { type DeliveryFigure, instability, keyFigures, throughput } from './questions.ts';
import { deliverySentence } from './sentence-words.ts';
import { deliveryWords } from './words.ts';

/** How often, how fast and how safely changes reach production. */
export default function Delivery() {
  const view = useView();
  const isOwn = seesOnlyOwn(useSession());
  const figures = useFigures(view, keyFigures);
  const [leadTime, frequency, restore, failures, rework] = figures;
  const { chosen, tabOf, list, panel } = useFigureTabs(figures);
  const figure = figures[chosen];
  if (!leadTime || !frequency || !restore || !failures || !rework || !figure) return null;
  const sentence = figures.some(({ isFirst }) => isFirst)
    ? ['\u00a0']
    : deliverySentence({
        deployments: frequency,
        leadTime,
        failureRate: failures.now.value,
        changes: failures.now.n ?? 0,
        restore: restore.now.value,
        before: beforeInWords(view),
        isOwn,
      });
  const counts = countsInWords({
    succeeded: frequency.now.value,
    runs: rework.now.n,
    changes: failures.now.n,
    failureRate: failures.now.value,
    isOwn,
  });
  return (
    <Page title={deliveryWords.delivery} sentence={<Said parts={sentence} />} figures={figures}>
      {list}
      <div className="tile-groups">
        <TileGroup
          name={deliveryWords.throughput}
          figures={[leadTime, frequency, restore]}
          of={throughput}
          tabOf={tabOf}
        />
        <TileGroup
          name={deliveryWords.instability}
          figures={[failures, rework]}
          of={instability}
          tabOf={(at) => tabOf(throughput.length + at)}
        />
      </div>
      <p className="small secondary">{counts || '\u00a0'}</p>
      <div className="columns even">
        {panel(
          <FigureChart
            key={figure.label}
            view={view}
            figure={figure}
            kind={figure === frequency ? 'bar' : 'line'}
            title={deliveryWords.per(figure.label, view.level)}
            subtitle={figure.meaning}
            what={keyFigures[chosen]?.of ?? 'records'}
            of={keyFigures[chosen]?.of ?? ''}
            height={340}
          />,
        )}
        <DeploymentsByResult view={view} />
      </div>
      <PhaseChart
        view={view}
        title={deliveryWords.leadTimeByPhase}
        until="production"
        whole={leadTime}
        called={deliveryWords.leadTime}
      />
      <ByRepository view={view} />
      <div className="columns even">
        <FailuresByReason view={view} />
        <FailedDeployments view={view} />
      </div>
      <Attribution view={view} />
    </Page>
  );
}

interface TileGroupProps {
  readonly name: string;
  readonly figures: readonly Figure[];
  /** What the n of each tile counts. */
  readonly of: readonly DeliveryFigure[];
  readonly tabOf: (at: number) => TileTab;
}

function TileGroup({ name, figures, of, tabOf }: TileGroupProps) {
  return (
    <section aria-label={name}>
      <p className="small secondary">{name}</p>
      <div className="tiles">
        {figures.map((figure, at) => (
          <Tile key={figure.label} figure={figure} tab={tabOf(at)} of={of[at]?.of ?? ''} />
        ))}
      </div>
    </section>
  );
}
