import { valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { numberIn } from '../../ask/figure-question.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { capitalised, grouped } from '../../view/format.ts';
import { factsWords } from './words.ts';

const valueText = (row: Row, column: string): string => {
  const text = textOf(row[column]);
  return text === null ? '–' : valueLabel(column, text);
};

/** What kind of change it is. */
export function factsOf(row: Row): readonly (readonly [string, string])[] {
  const count = (column: string): string => {
    const value = numberIn(row, column);
    return value === null ? '–' : grouped(value);
  };
  const files = numberIn(row, 'changed_files');
  const kinds = [
    row.is_promotion_pr === true ? 'promotion' : null,
    row.is_revert === true ? 'revert' : null,
    row.is_hotfix === true ? 'hotfix' : null,
    row.pr_category === null ? null : valueText(row, 'pr_category').toLowerCase(),
  ].filter((kind) => kind !== null);
  return [
    [factsWords.state, valueText(row, 'pr_state')],
    [factsWords.author, textOf(row.name) ?? textOf(row.person_login) ?? '–'],
    [factsWords.into, textOf(row.base_branch) ?? '–'],
    [factsWords.kind, capitalised(kinds.join(', ')) || '–'],
    [factsWords.size, factsWords.additionsDeletionsInFile(count('additions'), count('deletions'), files)],
    [factsWords.commits, count('commits_count')],
    [factsWords.reviewsByOthers, count('reviews_count')],
    [factsWords.comments, count('comments_count')],
  ];
}
