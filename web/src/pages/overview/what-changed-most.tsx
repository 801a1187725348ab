import { numberIn } from '../../ask/figure.ts';
import { aboutMetric, measureOf } from '../../ask/metric.ts';
import type { Row } from '../../ask/send.ts';
import { textOf } from '../../ask/series.ts';
import { askTogether, type PartPlace } from '../../ask/together.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { type Change, changeOf, grouped, shown } from '../../view/format.ts';
import { beforeInWords } from '../../view/range-menu.tsx';
import { Failed } from '../../view/states.tsx';
import { ChangeText } from '../../view/value.tsx';
import './overview.css';
import { type KeyFigure, keyFigures } from './questions.ts';

/** One group of one figure with what became of it. */
interface GroupChange {
  readonly figure: KeyFigure;
  readonly by: 'team_name' | 'repository_name';
  readonly name: string;
  readonly now: number;
  readonly before: number;
  readonly n: number | null;
  readonly change: Change;
}

/** Fewer rows than this change by chance. */
const rowsLeast = 10;
const shownMost = 5;

/** The largest changes of all key figures, by team and by repository. */
export function useGroupChanges(view: View) {
  const asked = keyFigures.flatMap((figure) => figure.by.map((by) => ({ figure, by })));
  const windows = view.before ? [view.window, view.before] : [];
  const { questions, places } = askTogether(
    asked.flatMap(({ figure, by }) =>
      windows.map((window) => ({ ...figure, by, filters: view.filtersFor(figure.metric, window) })),
    ),
  );
  const answers = useAnswers(questions);
  const rowsAt = (place: PartPlace | undefined) => answers[place?.question ?? -1]?.data?.rows ?? [];
  const changes = asked.flatMap(({ figure, by }, at) => {
    const [now, before] = [places[at * 2], places[at * 2 + 1]];
    return now ? changesOf(figure, by, now, rowsAt(now), rowsAt(before)) : [];
  });
  const cut = answers.find(({ data }) => data && data.total > data.rows.length)?.data;
  return {
    changes: largest(changes),
    /** How many groups there are, where not all of them came. */
    cutFrom: cut?.total,
    isFirst: view.before !== undefined && answers.some(({ isFirst }) => isFirst),
    isOld: answers.some(({ isOld }) => isOld),
    error: answers.find(({ error }) => error && !error.isNotAllowed)?.error,
    retry: () => {
      for (const { error, retry } of answers) if (error) retry();
    },
  };
}

function changesOf(
  figure: KeyFigure,
  by: GroupChange['by'],
  { value: column, n: nColumn }: PartPlace,
  now: readonly Row[],
  before: readonly Row[],
): GroupChange[] {
  const [measure, { better }] = [measureOf(figure.metric, figure.aggregation), aboutMetric(figure.metric)];
  const earlier = new Map(before.map((row) => [textOf(row[by]), row]));
  return now.flatMap((row) => {
    const name = textOf(row[by]);
    const was = earlier.get(name);
    const [value, valueBefore] = [numberIn(row, column), was ? numberIn(was, column) : null];
    const change = changeOf(value, valueBefore, measure, better);
    if (name === null || value === null || valueBefore === null || !change || !was) return [];
    const n = numberIn(row, nColumn);
    const least = Math.min(n ?? value, numberIn(was, nColumn) ?? valueBefore);
    if (change.direction === 'same' || least < rowsLeast) return [];
    return { figure, by, name, now: value, before: valueBefore, n, change };
  });
}

/** Shares are compared by points, the rest by ratio, so that 1 → 2 % does not beat everything. One change a name and figure. */
const weight = ({ figure, change, now, before }: GroupChange): number => {
  if (measureOf(figure.metric, figure.aggregation) === 'percent') return Math.abs(now - before) * 2;
  return Math.abs(Math.log((now || 1) / (before || 1))) || Math.abs(change.size);
};

const largest = (changes: readonly GroupChange[]): GroupChange[] =>
  changes.toSorted((a, b) => weight(b) - weight(a)).slice(0, shownMost);

export function WhatChangedMost({ view }: { readonly view: View }) {
  const { changes, cutFrom, isFirst, isOld, error, retry } = useGroupChanges(view);
  return (
    <section className={`card ${isOld ? 'is-old' : ''}`} aria-labelledby="what-changed">
      <header>
        <div>
          <h2 id="what-changed">What changed most</h2>
          <p className="subtitle">
            {view.before
              ? `against ${beforeInWords(view)}, by team and repository, of ${rowsLeast} rows or more`
              : 'needs a comparison'}
          </p>
        </div>
      </header>
      {error ? (
        <Failed error={error} retry={retry} what="This list" />
      ) : isFirst ? (
        <div className="skeleton changes-waiting" aria-busy="true" />
      ) : changes.length === 0 ? (
        <p className="secondary">
          {view.before ? 'No team and no repository changed noticeably.' : 'Choose something to compare with above.'}
        </p>
      ) : (
        <ul className="changes">
          {changes.map((one) => (
            <ChangeLine key={`${one.figure.metric} ${one.by} ${one.name}`} one={one} />
          ))}
        </ul>
      )}
      {cutFrom !== undefined && (
        <p className="small secondary">Only the first 200 of {grouped(cutFrom)} groups were looked at.</p>
      )}
    </section>
  );
}

function ChangeLine({ one }: { readonly one: GroupChange }) {
  const { figure, by, name, now, before, n } = one;
  const measure = measureOf(figure.metric, figure.aggregation);
  const panel = {
    metric: figure.metric,
    ...(figure.aggregation ? { aggregation: figure.aggregation } : {}),
    where: { [by]: name },
  };
  return (
    <li>
      <button type="button" onClick={() => openPanel(panel)}>
        <span>
          {name}: {figure.called}
        </span>
        <ChangeText now={now} before={before} measure={measure} better={aboutMetric(figure.metric).better} />
        <span className="secondary small">
          {shown(before, measure)} → {shown(now, measure)}
          {n !== null && `, n ${grouped(n)}`}
        </span>
      </button>
    </li>
  );
}
