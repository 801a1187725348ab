import type { RecordForm } from '../catalogue/read-value.ts';
import { isDirectoryTable } from '../catalogue/record-tables.ts';
import type { FactTable } from '../catalogue/tables/all-tables.ts';
import type { ConfiguredSources } from '../configured-sources/configured-sources.ts';
import {
  type DemoProgress,
  type DemoReady,
  type FilledOrganisation,
  type FillOptions,
  type FillPlaces,
  fillingDemo,
} from '../demo/fill.ts';
import type { Actor, Directory } from '../directory/directory.ts';
import { resolveOrganisation } from '../directory/organisations.ts';
import {
  type AuditedRows,
  beginExport,
  beginImport,
  type RecordLine,
  type RecordsOutcome,
} from '../directory/put-records.ts';
import type { ExportTable } from '../ingest/export/export-columns.ts';
import { exportedRows } from '../ingest/export/exported-rows.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { batchesOf } from '../ingest/read/text-lines.ts';
import type { Syncs } from '../jobs/syncs.ts';
import type { Metrics } from '../query/answer-metric.ts';
import { auditedBackup, type BackupSource, backupSource } from '../safety/backup.ts';
import { version } from '../version.ts';
import type { IntakePort } from '../warehouse/intake-port.ts';
import type { MaintenancePort } from '../warehouse/maintenance-port.ts';
import type { MovingPort } from '../warehouse/moving-port.ts';
import { type MetricInput, metricLines } from './command-questions.ts';
import { type MoveInput, type MoveLine, type MoveParts, moveLines } from './move-lines.ts';
import { countLines } from './streaming.ts';
import { type SyncInput, type SyncLine, syncLines } from './sync-lines.ts';

interface ExportInput {
  readonly org: string;
  readonly table: ExportTable;
  readonly records: boolean;
}

interface StrictInput {
  readonly org: string;
  readonly table: FactTable;
  readonly form: RecordForm;
}

export type DemoLine = DemoProgress | DemoReady | { readonly filled: readonly FilledOrganisation[] };

export interface StreamParts {
  readonly directory: Directory;
  /** The tables, and the ways into and out of them. Throws where another process keeps them. */
  readonly tables: () => {
    readonly warehouse: IntakePort & Pick<MaintenancePort, 'recluster' | 'compact'> & { readonly moving: MovingPort };
    readonly ingest: Ingest;
    readonly metrics: Metrics;
    /** The warehouse, where it is files in the data folder. */
    readonly embedded: BackupSource['warehouse'] | undefined;
    readonly syncs: Pick<Syncs, 'sync'>;
  };
  readonly sources: ConfiguredSources;
  /** The settings of this process. */
  readonly place: MoveParts['place'] & Pick<MoveParts, 'memory' | 'threads'>;
  readonly isServing: boolean;
}

/** The operations on data that does not fit into memory: it comes and goes piece by piece. */
export function streamsOf(
  { directory, tables, sources, place, isServing }: StreamParts,
  actor: Actor & { readonly via: 'command' },
) {
  const { store } = directory;
  const organisation = (org: string) => store.read((session) => resolveOrganisation(session, org));
  return {
    /** All rows of a table as NDJSON. Ends with an error unless it is complete. */
    async *exportRows({ org, table, records }: ExportInput): AsyncGenerator<Uint8Array> {
      const { id: organisationId } = await organisation(org);
      // Rows that are refused are not taken out.
      if (!isDirectoryTable(table)) tables();
      const counted = await beginExport(directory, { organisationId, actor }, table);
      yield* audited(counted, exportedRows({ store, tables }, { organisationId, table, records }));
    },
    /** The answer to a question about metrics: a line that says what it is, then a line for each row. */
    async *askMetrics(input: MetricInput): AsyncGenerator<Uint8Array> {
      const { metrics, ingest } = tables();
      const publish = (organisationId: string) => ingest.bringUp(organisationId);
      yield* metricLines({ directory, metrics, publish, user: actor.user }, input);
    },
    /** A backup of everything, or of one organisation. */
    async *backup({ org }: { org?: string | undefined }): AsyncGenerator<Uint8Array> {
      const source = backupSource({ store, embedded: tables().embedded });
      const only = org === undefined ? {} : { organisationId: (await organisation(org)).id };
      yield* auditedBackup(source, actor, { at: directory.now(), plumbVersion: version, ...only });
    },
    /** Reads sources, and reports each step and each end. Ends with an error unless all have ended. */
    async *syncSources(input: SyncInput): AsyncGenerator<SyncLine> {
      const { id } = await organisation(input.org);
      yield* syncLines({ sources, syncs: tables().syncs }, id, input);
    },
    /** Fills in the demo, and tells each batch, when it can be looked at, and the organisations in the end. */
    async *fillDemo(input: FillOptions): AsyncGenerator<DemoLine> {
      const { ingest, warehouse } = tables();
      const tidy: FillPlaces['tidy'] = async (organisationId, { signal, isWhole }) => {
        await warehouse.recluster(organisationId, { signal });
        if (isWhole) await warehouse.compact?.(organisationId, { signal });
      };
      yield { filled: yield* fillingDemo({ directory, ingest, tidy }, input) };
    },
    /** Copies everything to another place, and tells each step on the way and the end. */
    async *migrate(input: MoveInput): AsyncGenerator<MoveLine> {
      const { memory, threads } = place;
      const { warehouse } = tables();
      yield* moveLines({ store, warehouse, place, memory, threads, isServing, now: directory.now }, input, actor);
    },
    /** Records as one change, however many they are: one bad record, and none is kept. */
    async putStrictly({ org, table, form }: StrictInput, lines: AsyncIterable<RecordLine>): Promise<RecordsOutcome> {
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
