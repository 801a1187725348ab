import type { RecordForm } from '../catalogue/read-record.ts';
import { isDirectoryTable } from '../catalogue/record-tables.ts';
import type { FactTable } from '../catalogue/tables/tables.ts';
import type { ConfiguredSources } from '../configured-sources/configured-sources.ts';
import { type DemoProgress, type FilledOrganisation, type FillOptions, fillingDemo } from '../demo/fill.ts';
import type { Actor, Directory } from '../directory/directory.ts';
import { resolveOrganisation } from '../directory/organisations.ts';
import { type AuditedRows, beginExport, beginImport } from '../directory/record-transfers.ts';
import type { RecordLine, RecordsOutcome } from '../directory/records.ts';
import type { ExportTable } from '../ingest/export/export-columns.ts';
import { exportedRows } from '../ingest/export/exported-rows.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { batchesOf } from '../ingest/read/batches.ts';
import type { Syncs } from '../jobs/syncs.ts';
import type { Metrics } from '../query/answer-metric.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { MovingPort } from '../warehouse/moving-port.ts';
import { countLines } from './count-lines.ts';
import { type MetricInput, metricLines } from './metric-answers.ts';
import { type MoveInput, type MoveParts, moveLines } from './move-lines.ts';
import { type SyncInput, syncLines } from './sync-lines.ts';

interface ExportInput {
  readonly org: string;
  readonly table: ExportTable;
  readonly records: boolean;
}

export interface StrictInput {
  readonly org: string;
  readonly table: FactTable;
  readonly form: RecordForm;
}

/** What an operator can do with more than fits into memory: it comes and goes piece by piece. */
export interface Streams {
  /** All rows of a table as NDJSON. Ends with an error unless it is complete. */
  exportRows(input: ExportInput): AsyncIterable<Uint8Array>;
  /** The answer to a question about metrics: a line that says what it is, then a line for each row. */
  askMetrics(input: MetricInput): AsyncIterable<Uint8Array>;
  /** Reads sources, with a line for each step on the way and for each end. Ends with an error unless all are there. */
  syncSources(input: SyncInput): AsyncIterable<Uint8Array>;
  /** Fills in the demo, with a line for each batch, and the organisations in the last one. */
  fillDemo(input: FillOptions): AsyncIterable<Uint8Array>;
  /** Copies everything to another place, with a line for each step on the way and for the end. */
  migrate(input: MoveInput): AsyncIterable<Uint8Array>;
  /** Records as one change, however many they are: one bad record, and none is kept. */
  putStrictly(input: StrictInput, lines: AsyncIterable<RecordLine>): Promise<RecordsOutcome>;
}

export type DemoLine = DemoProgress | { readonly filled: readonly FilledOrganisation[] };

interface StreamParts {
  readonly directory: Directory;
  /** The tables, and the ways into and out of them. Throws where another process keeps them. */
  readonly tables: () => {
    readonly warehouse: IntakePort & { readonly moving: MovingPort };
    readonly ingest: Ingest;
    readonly metrics: Metrics;
    readonly syncs: Pick<Syncs, 'sync'>;
  };
  readonly sources: ConfiguredSources;
  /** The settings of this process. */
  readonly place: MoveParts['place'] & Pick<MoveParts, 'memory' | 'threads'>;
  readonly isServing: boolean;
}

export function streamsOf(
  { directory, tables, sources, place, isServing }: StreamParts,
  actor: Actor & { readonly via: 'command' },
): Streams {
  const { store } = directory;
  const organisation = (org: string) => store.read((session) => resolveOrganisation(session, org));
  return {
    async *exportRows({ org, table, records }) {
      const { id: organisationId } = await organisation(org);
      // What is refused is not taken out.
      if (!isDirectoryTable(table)) tables();
      const counted = await beginExport(directory, { organisationId, actor }, table);
      yield* audited(counted, exportedRows({ store, tables }, { organisationId, table, records }));
    },
    async *askMetrics(input) {
      const { metrics, ingest } = tables();
      const publish = (organisationId: string) => ingest.bringUp(organisationId);
      yield* metricLines({ directory, metrics, publish, user: actor.user }, input);
    },
    async *syncSources(input) {
      const { id } = await organisation(input.org);
      const { syncs } = tables();
      for await (const line of syncLines({ sources, syncs }, id, input)) yield Buffer.from(`${JSON.stringify(line)}\n`);
    },
    async *fillDemo(input) {
      const filling = fillingDemo({ directory, ingest: tables().ingest }, input);
      for (;;) {
        const step = await filling.next();
        const line: DemoLine = step.done ? { filled: step.value } : step.value;
        yield Buffer.from(`${JSON.stringify(line)}\n`);
        if (step.done) return;
      }
    },
    async *migrate(input) {
      const { warehouse } = tables();
      const { memory, threads } = place;
      const parts = { store, warehouse, place, memory, threads, isServing, now: directory.now };
      for await (const line of moveLines(parts, input, actor)) yield Buffer.from(`${JSON.stringify(line)}\n`);
    },
    async putStrictly({ org, table, form }, lines) {
      const { id } = await organisation(org);
      const { ingest } = tables();
      const counted = await beginImport(directory, { organisationId: id, actor }, table);
      const outcome = await ingest.putStrictly(
        id,
        batched(lines, (some) => ({ table, form, lines: some })),
      );
      await counted.add(outcome.accepted);
      return outcome;
    },
  };
}

/** Rows that are counted as they pass, also where nobody reads them to their end. */
async function* audited(counted: AuditedRows, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rows = 0;
  try {
    for await (const piece of pieces) {
      rows += countLines(piece);
      yield piece;
    }
  } finally {
    await counted.add(rows);
  }
}

async function* batched<T>(
  lines: AsyncIterable<RecordLine>,
  made: (lines: readonly RecordLine[]) => T,
): AsyncGenerator<T> {
  for await (const some of batchesOf(lines)) yield made(some as readonly RecordLine[]);
}
