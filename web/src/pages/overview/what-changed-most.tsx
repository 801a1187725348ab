import { comparedBy } from '../../ask/compared.ts';
import { measureOf } from '../../ask/metric-facts.ts';
import { askTogether } from '../../ask/together.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { noDataWords } from '../../view/cut-words.ts';
import { grouped, shown } from '../../view/format.ts';
import { beforeInWords } from '../../view/range-menu.tsx';
import { Failed } from '../../view/states.tsx';
import { ChangeText } from '../../view/value.tsx';
import './overview.css';
import { type GroupChange, largestChanges, noGroupChanged } from './group-changes.ts';
import { keyFigures } from './questions.ts';

const asked = keyFigures.flatMap((figure) => figure.by.map((by) => ({ figure, by })));

/** The changes of all key figures by team and by repository, as the server judges them. */
export function useGroupChanges(view: View) {
  const { questions, places } = askTogether(
    view.before
      ? asked.map(({ figure, by }) => ({
          ...figure,
          by,
          filters: view.filtersFor(figure.metric),
          before: view.beforeFor(figure.metric),
        }))
      : [],
  );
  const answers = useAnswers(questions);
  const groups = places.flatMap(({ question }, at): GroupChange[] => {
    const one = asked[at];
    if (!one) return [];
    const { figure, by } = one;
    return comparedBy(answers[question]?.data?.rows, figure.metric, by).flatMap(({ name, ...change }) =>
      name === null ? [] : { ...change, figure, by, name },
    );
  });
  const cut = answers.find(({ data }) => data && data.total > data.rows.length)?.data;
  return {
    groups,
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

export function WhatChangedMost({ view }: { readonly view: View }) {
  const { groups, cutFrom, isFirst, isOld, error, retry } = useGroupChanges(view);
  const changes = largestChanges(groups);
  return (
    <section className={`card ${isOld ? 'is-old' : ''}`} aria-labelledby="what-changed">
      <header>
        <div>
          <h2 id="what-changed">Biggest changes</h2>
          <p className="subtitle">
            {view.before ? `against ${beforeInWords(view)}, by team and repository` : 'needs a comparison'}
          </p>
        </div>
      </header>
      {error ? (
        <Failed error={error} retry={retry} what="This list" />
      ) : isFirst ? (
        <div className="skeleton changes-waiting" aria-busy="true" />
      ) : changes.length === 0 ? (
        <p className="secondary">
          {noDataWords(view.window, view.reach, view.today) ??
            (view.before ? noGroupChanged(groups, beforeInWords(view)) : 'Choose something to compare with above.')}
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
  const { figure, by, name, now, before } = one;
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
        <ChangeText change={{ ...one, measure }} of={figure.of} />
        <span className="secondary small">
          {shown(before.value, measure)} → {shown(now.value, measure)}
          {now.n !== null && `, n ${grouped(now.n)}`}
        </span>
      </button>
    </li>
  );
}
