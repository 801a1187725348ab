import type { RecordForm } from '../../catalogue/read-value.ts';
import type { RecordTable } from '../../catalogue/record-tables.ts';
import type { ChangeContext } from '../../directory/directory.ts';
import { type AuditedRows, beginImport } from '../../directory/put-records.ts';
import { batchesOf, type FileLine } from '../../ingest/read/text-lines.ts';
import { endParts, type IntakeParts, takeRecords } from '../../ingest/record-intake.ts';
import { Refusal } from '../../refusal.ts';
import { yieldIfDue } from '../../yield-to-event-loop.ts';
import type { Drain } from '../drain.ts';
import { RecordTally } from './record-tally.ts';

/** A change at a time: readers see all of it or nothing, and memory holds one. */
const batch = { maxLines: 5_000, maxBytes: 8 * 1024 * 1024 };

interface ImportOptions<L extends FileLine> {
  readonly form?: RecordForm;
  /** Called with each line that was not kept, in the order of the file. */
  readonly rejected?: (line: L, detail: string) => void;
}

/** Takes the records of a body in, batch by batch. What was accepted before an error stays, and the error says so. */
export async function importLines<L extends FileLine>(
  parts: IntakeParts & { readonly drain: Drain },
  /** For each batch, since each waits for its turn by itself. */
  contextFor: () => ChangeContext,
  table: RecordTable,
  lines: AsyncIterable<L>,
  { form = 'json', rejected = () => {} }: ImportOptions<L> = {},
): Promise<RecordTally> {
  const { organisationId, actor } = contextFor();
  let counted: AuditedRows | undefined;
  const tally = new RecordTally();
  try {
    for await (const some of batchesOf(lines, batch)) {
      if (parts.drain.isDraining) {
        throw new Refusal('unavailable', 'The service is shutting down. Send the records again in a moment.', {
          retryAfterSeconds: 5,
        });
      }
      // One entry of the audit log for the whole body, stored before anything of the body is.
      counted ??= await beginImport(parts.directory, { organisationId, actor }, table);
      // By its place in the batch: several records may stand on one line.
      const records = some.flatMap((line, place) => ('value' in line ? [{ line: place, value: line.value }] : []));
      const outcome = await takeRecords(parts, contextFor(), table, records, { form, isPart: true });
      await yieldIfDue();
      const reasons = new Map(outcome.rejected.map(({ line, detail }) => [line, detail]));
      const bad = some.flatMap((line, place) => {
        const detail = 'problem' in line ? line.problem : reasons.get(place);
        if (detail === undefined) return [];
        rejected(line, detail);
        return [{ line: line.line, detail }];
      });
      tally.add(outcome.accepted, bad);
      tally.addPeople(outcome.people);
      tally.addUnmatched(outcome.unmatched);
      await counted.add(outcome.accepted);
    }
    await endParts(parts, organisationId, table);
  } catch (error) {
    throw tally.explain(error);
  }
  return tally;
}
