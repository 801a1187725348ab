import { countOf } from '../../../../src/conclusions/counted-words.ts';
import type { KeyFigure } from '../../../../src/conclusions/key-figure-words.ts';
import type { Figure } from '../../ask/figure.ts';
import { addsUp } from '../../ask/metric-facts.ts';
import type { View } from '../../ask/use-view.ts';
import { routes } from '../../routes.ts';
import { DeploymentsByResult } from '../../view/deployments-by-result.tsx';
import { FigureChart } from '../../view/figure-chart.tsx';
import { PageLink } from '../../view/page-link.tsx';
import { mainChartWords } from './words.ts';

interface MainChartProps {
  readonly view: View;
  readonly figure: Figure;
  readonly of: KeyFigure;
}

/** The course of the chosen figure, and the page that says more about it. */
export function MainChart({ view, figure, of: key }: MainChartProps) {
  const { spec, label, level, now } = figure;
  const page = routes.find(({ path }) => path === key.page);
  const more = page?.name && (
    <PageLink to={page.path} className="link small">
      {page.name}
    </PageLink>
  );
  // Deployments say more by their results.
  if (spec.metric === 'deployment-frequency') return <DeploymentsByResult view={view} actions={more} />;
  const canAdd = addsUp(spec.metric, spec.aggregation);
  return (
    <FigureChart
      key={label}
      view={view}
      figure={figure}
      kind={canAdd ? 'bar' : 'line'}
      title={mainChartWords.per(label, level)}
      subtitle={canAdd || now.n === null ? '' : countOf(now.n, key.of)}
      what={key.of}
      of={key.of}
      height={340}
      actions={more}
    />
  );
}
