import { numberIn } from '../../ask/figure-question.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { failureWords } from '../../view/deployment-words.ts';
import { counted, duration, shownTime } from '../../view/format.ts';
import type { SaidPart } from '../../view/said-text.ts';

/** Says when the deployment went where with what, and how it ended. */
export function deploymentSentence(row: Row, zone: string): SaidPart[] {
  const carried = numberIn(row, 'prs_included') ?? 0;
  const at = shownTime(textOf(row.deployed_at), zone);
  const where = row.is_production === false ? (textOf(row.environment) ?? 'another environment') : 'production';
  const what =
    carried === 0
      ? ' without a pull request that is known'
      : ` with ${counted(carried, 'pull request', 'pull requests')}`;
  const start: SaidPart[] =
    row.status === 'cancelled'
      ? [`Was cancelled on ${at}, so nothing went to ${where}`]
      : row.status === 'failure'
        ? [{ strong: 'Failed' }, ` on its way to ${where} on ${at}${carried === 0 ? '' : what}`]
        : ['Went to ', { strong: where }, ` on ${at}${what}`];
  if (row.failure_reason === null || row.failure_reason === undefined) return [...start, '.'];
  const after = numberIn(row, 'time_to_restore');
  const restored = textOf(row.restored_at);
  return [
    ...start,
    row.status === 'failure' ? '' : `, and counts as failed (${lower(failureWords(row.failure_reason).name)})`,
    ...(restored === null
      ? ['. ', { strong: 'Not restored yet' }]
      : [
          '. Restored',
          ...(after === null ? [` on ${shownTime(restored, zone)}`] : [' after ', { strong: duration(after) }]),
        ]),
    '.',
  ];
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
