import { countOf } from '../../../src/conclusions/counted-words.ts';
import type { Figure } from '../ask/figure.ts';
import { addsUp } from '../ask/metric-facts.ts';
import { openPanel } from '../ask/use-view.ts';
import type { PanelState } from '../ask/view-state.ts';
import { firstWhole } from '../ask/windows.ts';
import { grouped, shownDay } from './format.ts';
import { Sparkline } from './sparkline.tsx';
import { RequestId } from './states.tsx';
import './tile.css';
import { fewRows } from '../../../src/charts/chart-description.ts';
import { tileWords } from './tile-words.ts';
import type { TileTab } from './use-figure-tabs.tsx';
import { ChangeText, Value } from './value.tsx';

interface TileProps {
  readonly figure: Figure;
  /** Where the tiles are the tabs of the main chart. */
  readonly tab?: TileTab;
  /** What n counts, such as `pull requests`. */
  readonly of?: string;
  /** Further conditions on the rows besides the filters of the address, such as one person. */
  readonly where?: PanelState['where'];
}

/** A key figure: the number, its change, how many rows it rests on, and its course. */
export function Tile({ figure, tab, of, where }: TileProps) {
  const { label, meaning, measure, now, before, series, seriesBefore, spec, error, retry } = figure;
  const whole = [firstWhole(figure.buckets), figure.wholeBuckets] as const;
  const heading = (
    <h2 className="tile-label" title={meaning}>
      {tab ? <TabButton tab={tab} label={label} /> : label}
    </h2>
  );
  const chosen = tab?.isChosen ? 'is-chosen' : '';
  // A tab is there whatever its figure is: the list of tabs names it, and keys walk along it.
  if (figure.isFirst && !error)
    return (
      <div className={`tile skeleton ${chosen}`} aria-busy="true">
        {tab && heading}
      </div>
    );
  if (error) {
    return (
      <div className={`tile ${chosen}`}>
        {heading}
        <p className="small">{error.isNotAllowed ? tileWords.youDontHaveAccess : error.message}</p>
        {!error.isNotAllowed && (
          <button type="button" className="link small tile-retry" onClick={retry}>
            {tileWords.tryAgain}
          </button>
        )}
        <RequestId id={error.requestId} />
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
    <article className={`tile ${figure.isOld ? 'is-old' : ''} ${chosen}`} data-metric={spec.metric}>
      {heading}
      <button type="button" className="tile-value" onClick={() => openPanel(panel)}>
        <Value value={now.value} measure={measure} />
        <span className="unseen">{tileWords.showRows(label)}</span>
      </button>
      <div className="tile-change">
        {before && now.value !== null && <ChangeText change={figure} of={of} />}
        <SmallNumber figure={figure} of={of} />
      </div>
      <Sparkline points={series.slice(...whole)} before={seriesBefore?.slice(...whole)} />
    </article>
  );
}

/** The whole tile shows its metric in the main chart, but for its number. */
const TabButton = ({ tab, label }: { readonly tab: TileTab; readonly label: string }) => (
  <button
    type="button"
    role="tab"
    id={tab.id}
    className="tile-tab"
    aria-selected={tab.isChosen}
    aria-controls={tab.panelId}
    tabIndex={tab.isChosen ? 0 : -1}
    onClick={tab.onChoose}
    onKeyDown={tab.onKeyDown}
  >
    {label}
  </button>
);

/** Shows n beside everything but counts, and says where rows are few. */
function SmallNumber({
  figure: { spec, now, endsEarly, noDataAfter },
  of,
}: {
  readonly figure: Figure;
  readonly of: string | undefined;
}) {
  if (now.value === null) {
    const why =
      noDataAfter === undefined ? tileWords.nothingInThisWindow : tileWords.noDataAfter(shownDay(noDataAfter));
    return <span className="small secondary">{why}</span>;
  }
  const until = endsEarly === undefined ? '' : tileWords.to(shownDay(endsEarly));
  if (addsUp(spec.metric, spec.aggregation) || now.n === null)
    return until && <span className="small secondary">{until}</span>;
  return (
    <span className="small secondary">
      {until && `${until} · `}
      {of ? countOf(now.n, of) : `n ${grouped(now.n)}`}
      {now.n < fewRows && now.n > 0 ? ', few' : ''}
    </span>
  );
}
