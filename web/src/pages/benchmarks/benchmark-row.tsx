import { aboutMetric, measureOf } from '../../ask/metric-facts.ts';
import { shown } from '../../view/format.ts';
import { Value } from '../../view/value.tsx';
import {
  type Benchmark,
  benchmarkName,
  isFew,
  isGoodStanding,
  minOrganisations,
  minRecords,
  scaleOf,
  standingOf,
  trendSpec,
} from './questions.ts';
import { benchmarkRowWords } from './words.ts';

interface BenchmarkRowProps {
  readonly row: Benchmark;
  readonly hasPeers: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** One metric: the value, the band of the others with the dot, and both in words. */
export function BenchmarkRow({ row, hasPeers, isChosen, onChoose }: BenchmarkRowProps) {
  const { metric, value, n, quartiles } = row;
  const { meaning } = aboutMetric(metric);
  const measure = measureOf(metric, trendSpec(row)?.aggregation);
  return (
    <li className="benchmark" data-metric={metric}>
      <button type="button" className="link benchmark-name" title={meaning} aria-pressed={isChosen} onClick={onChoose}>
        {benchmarkName(metric)}
      </button>
      <span className="benchmark-value">
        <Value value={value} measure={measure} />
        {n !== null && <span className="small secondary"> {benchmarkRowWords.n(n)}</span>}
      </span>
      {!hasPeers ? (
        <span className="benchmark-band" />
      ) : quartiles ? (
        <Band row={row} />
      ) : (
        <span className="secondary small benchmark-few">
          {benchmarkRowWords.shownFromOrganisations(minOrganisations, row.organisations)}
        </span>
      )}
      {hasPeers && <span className="small secondary benchmark-words">{wordsOf(row)}</span>}
    </li>
  );
}

function Band({ row: { value, n, quartiles, metric } }: { readonly row: Benchmark }) {
  if (!quartiles) return null;
  const places = scaleOf(value, quartiles);
  const percent = (place: number): string => `${(place * 100).toFixed(2)}%`;
  const measure = measureOf(metric);
  return (
    <span
      className="benchmark-band"
      title={benchmarkRowWords.othersQuarterBelowHalf(
        shown(quartiles.low, measure),
        shown(quartiles.middle, measure),
        shown(quartiles.high, measure),
      )}
      aria-hidden="true"
    >
      <span className="benchmark-axis" />
      <span className="benchmark-box" style={{ left: percent(places.low), width: percent(places.high - places.low) }} />
      <span className="benchmark-middle" style={{ left: percent(places.middle) }} />
      {places.value !== undefined && (
        <span className={`benchmark-dot ${isFew(n) ? 'few' : ''}`} style={{ left: percent(places.value) }} />
      )}
    </span>
  );
}

/** The row in words: which quarter, whether that is good, the quartiles, and how many others they rest on. */
function wordsOf(row: Benchmark): string {
  const { metric, value, quartiles, percentile, organisations, n } = row;
  if (value === null) return benchmarkRowWords.noValueYours;
  if (!quartiles) return '';
  const measure = measureOf(metric);
  const standing = standingOf(row);
  const isGood = isGoodStanding(standing, aboutMetric(metric).better);
  const place =
    percentile === null
      ? isFew(n)
        ? benchmarkRowWords.noRankFewer(minRecords)
        : benchmarkRowWords.noRank
      : benchmarkRowWords.higher(percentile);
  const quartile = `${shown(quartiles.low, measure)} · ${shown(quartiles.middle, measure)} · ${shown(quartiles.high, measure)}`;
  const where = standing && benchmarkRowWords.standing(standing, isGood);
  return benchmarkRowWords.quartiles(where, place, quartile, organisations);
}
