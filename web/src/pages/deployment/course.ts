import { numberIn } from '../../ask/figure-question.ts';
import type { Row } from '../../ask/send.ts';
import { capitalised, duration, shownTime } from '../../view/format.ts';
import type { TimelineClock, TimelineEvent } from '../../view/timeline-layout.ts';
import { courseWords } from './words.ts';

const timeIn = (row: Row, column: string): number | null => {
  const time = Date.parse(String(row[column] ?? ''));
  return Number.isNaN(time) ? null : time;
};

const steps = [
  ['started_at', 'started'],
  ['deployed_at', 'deployed'],
  ['failure_detected_at', courseWords.failureSeen],
  ['remediation_merged_at', courseWords.fixMerged],
  ['restored_at', 'restored'],
] as const;

/** The steps from the start to the recovery. Unknown steps, and a second one at the same time, are left out. */
export function courseOf(
  row: Row,
  zone: string,
): { readonly events: TimelineEvent[]; readonly clocks: TimelineClock[] } {
  const seen = new Set<number>();
  const events = steps.flatMap(([column, name]) => {
    const at = timeIn(row, column);
    if (at === null || (column !== 'deployed_at' && seen.has(at))) return [];
    seen.add(at);
    const label = column === 'deployed_at' && row.status === 'failure' ? courseWords.runFailed : name;
    return {
      key: column,
      at,
      label: capitalised(label),
      time: shownTime(new Date(at).toISOString(), zone),
      isMain: true,
    };
  });
  const [started, deployed, restored] = ['started_at', 'deployed_at', 'restored_at'].map((column) =>
    timeIn(row, column),
  );
  const restore = numberIn(row, 'time_to_restore');
  const clocks: TimelineClock[] = [];
  if (started != null && deployed != null && deployed > started) {
    const value = duration((deployed - started) / 1_000);
    clocks.push({ name: 'run', value, rule: 'started → deployed', from: started, until: deployed, lane: 0, colour: 1 });
  }
  if (restored != null && restore !== null && restore > 0) {
    const from = restored - restore * 1_000;
    clocks.push({
      name: courseWords.timeToRestore,
      value: duration(restore),
      rule: restoreRule(row),
      from,
      until: restored,
      lane: 1,
      colour: 5,
    });
  }
  return { events: events.toSorted((a, b) => a.at - b.at), clocks };
}

/** The clock of the time to restore starts at a time that depends on the reason. */
export function restoreRule({ failure_reason }: Row): string {
  if (failure_reason === 'incident') return courseWords.incidentOpenedProductionWell;
  if (failure_reason === 'failed_deployment') return courseWords.failedRunOrBad;
  return courseWords.badChangeLive;
}
