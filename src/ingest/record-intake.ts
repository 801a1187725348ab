import type { RecordForm } from '../catalogue/read-value.ts';
import { isDirectoryTable, type RecordTable } from '../catalogue/record-tables.ts';
import type { ChangeContext, Directory } from '../directory/directory.ts';
import { putPeople, putRecords, type RecordLine, type RecordsOutcome } from '../directory/put-records.ts';
import type { Ingest } from './ingest.ts';

export interface IntakeParts {
  readonly directory: Directory;
  readonly ingest: Pick<Ingest, 'put' | 'divideSurveys'>;
}

interface IntakeOptions {
  readonly form?: RecordForm;
  /** All or nothing: one bad record, and none is kept. */
  readonly strict?: boolean;
  /** More records of the same sender follow. Then `endParts` is called once all have come. */
  readonly isPart?: boolean | undefined;
}

/** Takes records of any table in, as one change: people and their groups go to the directory, the rest to the tables. */
export async function takeRecords(
  { directory, ingest }: IntakeParts,
  context: ChangeContext,
  table: RecordTable,
  lines: readonly RecordLine[],
  { form = 'json', strict = false, isPart }: IntakeOptions = {},
): Promise<RecordsOutcome> {
  if (table === 'people') return putPeople(directory, context, lines, { form, strict });
  if (isDirectoryTable(table)) return putRecords(directory, context, table, lines, { form, strict });
  const { organisationId, ticket } = context;
  const [outcome] = await ingest.put(organisationId, [{ table, lines, form }], {
    strict,
    looksUpReferences: true,
    isPart,
    ticket,
  });
  if (!outcome) throw new Error(`nothing was said of the records of ${table}`);
  return outcome;
}

/** Does the work that follows from records in parts once all of them are stored. Returns whether there was any. */
export async function endParts(
  { ingest }: Pick<IntakeParts, 'ingest'>,
  organisationId: string,
  table: RecordTable,
): Promise<boolean> {
  // A part of the answers would be divided by itself, and the others left out for good.
  if (table !== 'survey_recipients' && table !== 'survey_responses') return false;
  return ingest.divideSurveys(organisationId);
}
