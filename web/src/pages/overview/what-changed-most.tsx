import { noGroupChanged } from '../../../../src/conclusions/change-words.ts';
import { comparedBy } from '../../../../src/conclusions/compared.ts';
import { countOf } from '../../../../src/conclusions/counted-words.ts';
import { measureOf } from '../../ask/metric-facts.ts';
import { askTogether } from '../../ask/together.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import { openPanel, useOwnChoice, type View } from '../../ask/use-view.ts';
import { CardSwitch } from '../../view/card-views.tsx';
import { noDataWords } from '../../view/cut-words.ts';
import { shown } from '../../view/format.ts';
import { beforeInWords } from '../../view/range-words.ts';
import { Failed } from '../../view/states.tsx';
import { ChangeText } from '../../view/value.tsx';
import './overview.css';
import { type ComparedGroup, largestChanges, largestForTheWorse } from '../../../../src/conclusions/biggest-changes.ts';
import { keyFigures } from '../../../../src/conclusions/key-figure-words.ts';
import { biggestChangesWords } from './words.ts';

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
  const groups = places.flatMap(({ question }, at): ComparedGroup[] => {
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
  const [which, choose] = useOwnChoice('changes', 'all', ['all', 'worse'] as const);
  const worse = largestForTheWorse(groups);
  const changes = which === 'worse' ? worse : largestChanges(groups);
  return (
    <section className={`card changes-card ${isOld ? 'is-old' : ''}`} aria-labelledby="what-changed">
      <header>
        <div>
          <h2 id="what-changed">{biggestChangesWords.biggestChanges}</h2>
          <p className="subtitle">
            {view.before ? biggestChangesWords.byTeamAndRepository(beforeInWords(view)) : 'Needs a comparison'}
          </p>
        </div>
        {view.before && (
          <CardSwitch
            title={biggestChangesWords.biggestChanges}
            sides={{ all: biggestChangesWords.all, worse: biggestChangesWords.worse } as const}
            side={which}
            onSide={choose}
          />
        )}
      </header>
      {error ? (
        <Failed error={error} retry={retry} what={biggestChangesWords.thisList} />
      ) : isFirst ? (
        <div className="skeleton changes-waiting" aria-busy="true" />
      ) : changes.length === 0 ? (
        <p className="secondary">
          {noDataWords(view.window, view.reach, view.today) ??
            (!view.before
              ? biggestChangesWords.pickComparisonToSee
              : which === 'worse' && largestChanges(groups).length > 0
                ? biggestChangesWords.nothingBecameWorse
                : noGroupChanged(groups, beforeInWords(view)))}
        </p>
      ) : (
        <ul className="changes">
          {changes.map((one) => (
            <ChangeLine key={`${one.figure.metric} ${one.by} ${one.name}`} one={one} />
          ))}
        </ul>
      )}
      {cutFrom !== undefined && <p className="small secondary">{biggestChangesWords.onlyFirst200Groups(cutFrom)}</p>}
    </section>
  );
}

function ChangeLine({ one }: { readonly one: ComparedGroup }) {
  const { figure, by, name, now, before } = one;
  const measure = measureOf(figure.metric, figure.aggregation);
  const panel = {
    metric: figure.metric,
    ...(figure.aggregation ? { aggregation: figure.aggregation } : {}),
    where: { [by]: name },
  };
  return (
    <li data-metric={figure.metric}>
      <button type="button" onClick={() => openPanel(panel)}>
        <span className="change-name">{name}</span>
        <ChangeText change={{ ...one, measure }} of={figure.of} />
        <span className="secondary small">
          {figure.label}
          {now.n !== null && ` · ${countOf(now.n, figure.of)}`}
        </span>
        <span className="secondary small">
          {shown(before.value, measure)} → {shown(now.value, measure)}
        </span>
      </button>
    </li>
  );
}
