import type { Evaluated } from './evaluate.ts';
import { inOrder, joinedRows, largeEnough } from './joined-rows.ts';
import type { Evaluation } from './metric-groups.ts';
import { nameOfCount, typeOf } from './question.ts';
import { written } from './written.ts';

export function flatAnswer(evaluation: Evaluation): Evaluated {
  const { question, level } = evaluation;
  const all = inOrder(evaluation, largeEnough(joinedRows(evaluation), question.asked));
  const rows = all.slice(0, question.limit).map(({ bucket, place, said, counts }) =>
    Object.fromEntries([
      level ? [`${level}_date`, bucket] : ['date_level_not_set', true],
      ...question.groupBy
        .map((name, i) => [name, written(place[i] ?? null, typeOf(question, name))] as const)
        // An object has room for one value of a name: the metric's own, which says the same.
        .filter(([name]) => !question.asked.some(({ values }) => values.some(({ column }) => column === name))),
      ...question.asked.flatMap((one, i) => [
        ...one.values.map(({ column }, j) => [column, said[i]?.[j] ?? null] as const),
        ...(question.showsN ? [[nameOfCount(question, one), counts[i]] as const] : []),
      ]),
    ]),
  );
  return { answer: rows, total: rows.length < all.length ? all.length : undefined };
}
