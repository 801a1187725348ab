import { numberIn } from '../../ask/figure.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { failureWords } from '../../view/deployment-words.ts';
import { Facts } from '../../view/facts.tsx';
import { shownTime } from '../../view/format.ts';
import { Value } from '../../view/value.tsx';
import { restoreRule } from './course.ts';
import { whyFailedWords } from './words.ts';

/** Why the deployment counts as failed and when production was well again; or that no record says so. */
export function WhyFailed({ row, zone }: { readonly row: Row; readonly zone: string }) {
  const { name, meaning } = failureWords(row.failure_reason);
  if (row.failure_reason === null) {
    return (
      <section className="card" aria-label={whyFailedWords.whetherItFailed}>
        <header>
          <h2>{name}</h2>
        </header>
        <p className="secondary">
          {row.status === 'success' ? whyFailedWords.runSucceededAndNo : whyFailedWords.runEnded(textOf(row.status))}
        </p>
      </section>
    );
  }
  const time = (column: string): string => shownTime(textOf(row[column]), zone);
  return (
    <Facts
      title={whyFailedWords.whyItFailed}
      facts={[
        [whyFailedWords.reason, `${name}. ${meaning}`],
        [whyFailedWords.seen, time('failure_detected_at')],
        [whyFailedWords.fixMerged, time('remediation_merged_at')],
        [whyFailedWords.restored, row.restored_at === null ? whyFailedWords.notYet : time('restored_at')],
        [
          whyFailedWords.timeToRestore,
          <Value key="restore" value={numberIn(row, 'time_to_restore')} measure="duration" />,
        ],
        [whyFailedWords.measured, restoreRule(row)],
      ]}
    />
  );
}
