import { Link } from 'wouter';
import type { Figure } from '../ask/figure.ts';
import { addsUp } from '../ask/metric-facts.ts';
import { openPanel } from '../ask/use-view.ts';
import type { PanelState } from '../ask/view-state.ts';
import { countOf } from './counted-things.ts';
import { grouped, shownDay } from './format.ts';
import { Sparkline } from './sparkline.tsx';
import './tile.css';
import { fewRows } from '../../../src/charts/chart-description.ts';
import { ChangeText, Value } from './value.tsx';

interface TileProps {
  readonly figure: Figure;
  /** The page that says more. Without one the number opens its rows. */
  readonly href?: string;
  /** What n counts, such as `pull requests`. */
  readonly of?: string;
  /** Further conditions on the rows besides the filters of the address, such as one person. */
  readonly where?: PanelState['where'];
}

/** A key figure: the number, its change, how many rows it rests on, and its course. */
export function Tile({ figure, href, of, where }: TileProps) {
  const { label, meaning, measure, now, before, series, seriesBefore, wholeBuckets, spec, error, retry } = figure;
  if (figure.isFirst && !error) return <div className="tile skeleton" aria-busy="true" />;
  if (error) {
    return (
      <div className="tile">
        <h2 className="tile-label">{label}</h2>
        <p className="small">{error.isNotAllowed ? 'You don’t have access to this.' : error.message}</p>
        {!error.isNotAllowed && (
          <button type="button" className="link small" onClick={retry}>
            Try again
          </button>
        )}
        {error.requestId && <p className="subtitle">Request {error.requestId}</p>}
      </div>
    );
  }
  const panel: PanelState = {
    metric: spec.metric,
    ...(spec.aggregation ? { aggregation: spec.aggregation } : {}),
    ...(where || spec.dateField
      ? { where: { ...where, ...(spec.dateField ? { date_field: spec.dateField } : {}) } }
      : {}),
  };
  return (
    <article className={`tile ${figure.isOld ? 'is-old' : ''}`} data-metric={spec.metric}>
      <h2 className="tile-label" title={meaning}>
        {href ? <Link href={href}>{label}</Link> : label}
      </h2>
      <button type="button" className="tile-value" onClick={() => openPanel(panel)}>
        <Value value={now.value} measure={measure} />
        <span className="unseen">, {label}: show the rows</span>
      </button>
      {before && now.value !== null && <ChangeText change={figure} of={of} />}
      <SmallNumber figure={figure} of={of} />
      <Sparkline points={series.slice(0, wholeBuckets)} before={seriesBefore?.slice(0, wholeBuckets)} />
    </article>
  );
}

/** Shows n beside everything but counts, and says where rows are few. */
function SmallNumber({
  figure: { spec, now, endsEarly, noDataAfter },
  of,
}: {
  readonly figure: Figure;
  readonly of: string | undefined;
}) {
  if (now.value === null) {
    const why = noDataAfter === undefined ? 'nothing in this window' : `no data after ${shownDay(noDataAfter)}`;
    return <span className="small secondary">{why}</span>;
  }
  const until = endsEarly === undefined ? '' : `to ${shownDay(endsEarly)}`;
  if (addsUp(spec.metric, spec.aggregation) || now.n === null)
    return <span className="small secondary">{until || '\u00a0'}</span>;
  return (
    <span className="small secondary">
      {until && `${until} · `}n {of ? countOf(now.n, of) : grouped(now.n)}
      {now.n < fewRows && now.n > 0 ? ', few' : ''}
    </span>
  );
}
