import { notLoaded } from '../../../../src/conclusions/change-words.ts';
import { aboutMetric } from '../../ask/metric-facts.ts';
import { changeOwn, useView } from '../../ask/use-view.ts';
import { Page } from '../../view/page.tsx';
import { Failed, NotAllowed } from '../../view/states.tsx';
import { useWhoseWords } from '../../view/whose-words.ts';
import { BenchmarkRow } from './benchmark-row.tsx';
import './benchmarks.css';
import { type Benchmark, isFew, isGoodStanding, minRecords, standingOf } from './questions.ts';
import { ReferenceCard } from './reference-card.tsx';
import { layers } from './reference-lines.ts';
import { Trend } from './trend.tsx';
import { useBenchmarks } from './use-benchmarks.ts';
import { benchmarksWords } from './words.ts';

/** Where we stand among others, without anybody learning who they are. */
export default function Benchmarks() {
  const view = useView();
  const { whoIs } = useWhoseWords();
  const { rows, isFirst, isOld, errors, retry } = useBenchmarks(view);
  const chosen = rows.find(({ metric }) => metric === view.state.own.metric) ?? rows[0];
  const [error] = errors;
  const hidden = (view.state.own.hide ?? usuallyHidden).split(';');
  const isShown = (layer: string): boolean => !hidden.includes(layer);
  return (
    <Page
      title={benchmarksWords.benchmarks}
      hasComparison={false}
      sentence={isFirst ? '\u00a0' : error && !error.isNotAllowed ? notLoaded : sentenceOf(rows, whoIs)}
      isSentenceOld={isOld}
      note={benchmarksWords.quartilesOtherOrganisationsOnly}
    >
      {error && rows.length === 0 ? (
        error.isNotAllowed ? (
          <NotAllowed what={error.message} needs="" />
        ) : (
          <Failed error={error} retry={retry} what={benchmarksWords.comparison} />
        )
      ) : isFirst && rows.length === 0 ? (
        <div className="skeleton benchmarks-waiting" aria-busy="true" />
      ) : (
        <>
          {error && <Failed error={error} retry={retry} what={benchmarksWords.oneComparisons} />}
          <section className={`card ${isOld ? 'is-old' : ''}`} aria-labelledby="benchmarks-all">
            <header>
              <div>
                <h2 id="benchmarks-all">{benchmarksWords.howYouCompare}</h2>
                <p className="subtitle">{benchmarksWords.bandMiddleHalfOther}</p>
              </div>
            </header>
            <Layers hidden={hidden} />
            <ul className="benchmarks">
              {rows.map((row) => (
                <BenchmarkRow
                  key={row.metric}
                  row={row}
                  hasPeers={isShown(peers)}
                  isChosen={row.metric === chosen?.metric}
                  onChoose={() => changeOwn({ metric: row.metric })}
                />
              ))}
            </ul>
          </section>
          {chosen && <Trend key={chosen.metric} view={view} row={chosen} />}
          <ReferenceCard view={view} isShown={isShown} />
        </>
      )}
    </Page>
  );
}

const peers = benchmarksWords.peersMiddleHalf;
/** Few people compare averages of waits, which a handful of pull requests decide. */
const usuallyHidden = layers.flatMap(({ id }) => (id.endsWith('averages') ? [id] : [])).join(';');

/** Each layer can be shown or hidden. The address remembers it. */
function Layers({ hidden }: { readonly hidden: readonly string[] }) {
  return (
    <fieldset className="row benchmark-layers" aria-label={benchmarksWords.shownBesideYourNumbers}>
      {[peers, ...layers.map(({ id }) => id)].map((layer) => (
        <label key={layer} className="row small">
          <input
            type="checkbox"
            checked={!hidden.includes(layer)}
            onChange={() => {
              const next = hidden.includes(layer) ? hidden.filter((one) => one !== layer) : [...hidden, layer];
              changeOwn({ hide: next.filter((one) => one !== '').join(';') || 'none' });
            }}
          />
          {layer}
        </label>
      ))}
    </fieldset>
  );
}

function sentenceOf(rows: readonly Benchmark[], whoIs: string): string {
  const known = rows.filter((row) => standingOf(row) !== undefined);
  if (known.length === 0)
    return rows.some(({ n }) => isFew(n))
      ? benchmarksWords.yourFiguresRest(minRecords)
      : benchmarksWords.thereNothingToCompare;
  const good = known.filter((row) => isGoodStanding(standingOf(row), aboutMetric(row.metric).better));
  const bad = known.filter((row) => isGoodStanding(standingOf(row), aboutMetric(row.metric).better) === false);
  const names = (some: readonly Benchmark[]) =>
    new Intl.ListFormat('en-GB').format(some.map(({ metric }) => aboutMetric(metric).label.toLowerCase()));
  const parts = [
    good.length > 0 && benchmarksWords.better(names(good)),
    bad.length > 0 && benchmarksWords.behind(names(bad)),
  ].filter((part) => part !== false);
  const others = Math.max(...known.map(({ organisations }) => organisations));
  const within = known.length - good.length - bad.length;
  return benchmarksWords.among(others, whoIs, parts.length, parts.join(', '), within, known.length);
}
