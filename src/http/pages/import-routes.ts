import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Budget } from '../../admission/budget.ts';
import { defaultHost } from '../../catalogue/record-ids.ts';
import { isRecordTable, noSuchTable, type RecordTable, recordTableNames } from '../../catalogue/record-tables.ts';
import { previewFile } from '../../ingest/read/foreign/file-preview.ts';
import { type ForeignLine, type ForeignOptions, ForeignReader } from '../../ingest/read/foreign/foreign-lines.ts';
import { type DayOrder, dayOrders } from '../../ingest/read/foreign/foreign-times.ts';
import type { RecordFile } from '../../ingest/read/open-record-file.ts';
import type { IntakeParts } from '../../ingest/record-intake.ts';
import { Refusal } from '../../refusal.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import { changeContextOf, changingTicket } from '../admission/request-ticket.ts';
import { importLines } from '../body/import-lines.ts';
import { acceptRequestBodies, type ReadingParts, requestBodyOf, takeArriving } from '../body/request-body.ts';
import { readUploaded, removeLeftUploads, uploadedBodies } from '../body/uploaded-file.ts';
import type { Drain } from '../drain.ts';
import { wordIn } from './page-query.ts';

interface ImportRouteParts extends IntakeParts, ReadingParts {
  readonly drain: Drain;
  readonly maxRecords?: number | undefined;
  readonly now: () => Date;
}

const short = Type.Optional(Type.String({ maxLength: 300 }));
const long = Type.Optional(Type.String({ maxLength: 12_000 }));
const query = Type.Object(
  { name: short, table: short, map: long, set: long, dates: short, is_part: short },
  { additionalProperties: false },
);
interface UploadRequest {
  Querystring: {
    readonly name?: string;
    readonly table?: string;
    readonly map?: string;
    readonly set?: string;
    readonly dates?: string;
    readonly is_part?: string;
  };
}

const defaultMaxRecords = 1_000_000;
/** Of rejected lines an answer holds so many characters. */
const maxRejects = 4 * 1024 * 1024;

/** Needs a scope of its own: its bodies are files. For Owners who are signed in, one file at a time for an organisation. */
export function importRoutes(app: FastifyInstance, parts: ImportRouteParts): void {
  const { folder } = parts.arrival;
  app.addHook('onReady', () => removeLeftUploads(folder, parts.now));
  acceptRequestBodies(app, uploadedBodies);
  // How many are read at once in all, is up to the turns of what has arrived: senders may take long.
  const places = new Budget({ shares: { all: Number.POSITIVE_INFINITY, organisation: 1 }, crowded: anotherFile });
  // The engine that reads such a file takes much more memory than the file.
  const parquetTurns = new Budget({ shares: { all: 1 }, crowded: otherParquetFiles });
  const byOwner = {
    onRequest: onlyFor('Owner', 'Importing files'),
    schema: { hide: true, querystring: query },
  };

  /** Receives a file and works on it; nothing of it stays. */
  const withFile = async <T>(
    request: FastifyRequest<UploadRequest>,
    work: (file: RecordFile, name: string) => Promise<T>,
  ): Promise<T> => {
    const body = requestBodyOf(request, uploadedBodies);
    const { organisationId } = principalOf(request);
    const place = places.open({ ticket: changingTicket(request) });
    if (!place.tryGrow(1)) {
      body.stream.resume();
      throw anotherFile();
    }
    try {
      const name = nameOf(request.query.name);
      const options = { folder, name, maxRecords: parts.maxRecords ?? defaultMaxRecords };
      const turns = body.format === 'parquet' ? { small: parquetTurns, large: parquetTurns } : parts.turns;
      return await takeArriving(
        { ...parts, turns },
        request,
        organisationId,
        body.stream,
        (arrived) => readUploaded(body, arrived, options, (file) => work(file, name)),
        body.isGzip || body.format === 'parquet',
      );
    } catch (error) {
      throw error instanceof Refusal ? new Refusal(error.reason, inForm(error.message), error.hints) : error;
    } finally {
      place.release();
    }
  };

  app.post<UploadRequest>('/app/imports/preview', byOwner, async (request) => {
    const { table, is_part } = request.query;
    const options = { ...foreignOptions(request.query), table: tableIn(table), isPart: is_part === 'true' };
    const preview = await withFile(request, (file, name) => previewFile(file, name, options));
    return {
      ...preview,
      rows: preview.rows.map(({ line, problem }) => ({ line, problem: problem && inForm(problem) })),
      tables: recordTableNames,
    };
  });

  app.post<UploadRequest>('/app/imports', byOwner, async (request, reply) => {
    const table = tableIn(request.query.table);
    if (!table) throw new Refusal('bad-input', `The table is missing. Tables: ${recordTableNames.join(', ')}.`);
    const options = { ...foreignOptions(request.query), leavesOutUnknown: true };
    // What was sent whole is imported whole, also when its sender has left.
    const { organisationId, actor } = changeContextOf(request, reply);
    const contextFor = () => ({ organisationId, actor, ticket: changingTicket(request) });
    return withFile(request, async (file, name) => {
      const reader = new ForeignReader(table, options, await file.header?.());
      reader.check(name);
      const rejects = new Rejects();
      const remarks = new ImportRemarks();
      const { accepted, rejected, errors, onboarding, unmatched } = await importLines(
        parts,
        contextFor,
        table,
        remarks.seen(reader.lines(file, (what) => remarks.leaveOut(inForm(what)))),
        { form: file.form, rejected: (line, detail) => rejects.add(line, inForm(detail)) },
      );
      return {
        table,
        accepted,
        rejected,
        ...onboarding,
        left_out: remarks.leftOut,
        ...(accepted > 0 && remarks.isHostAssumed && { host_assumed: defaultHost }),
        ...(unmatched && { unmatched_references: unmatched }),
        errors: errors.slice(0, 20).map(({ line, detail }) => ({ line, detail: inForm(detail) })),
        rejects: rejects.text,
        rejects_cut: rejects.isCut,
      };
    });
  });
}

/** What is unusual about the records of a file, although none of it is wrong. */
class ImportRemarks {
  readonly #leftOut = new Map<string, number>();
  isHostAssumed = false;

  leaveOut(what: string): void {
    this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + 1);
  }

  async *seen(lines: AsyncIterable<ForeignLine>): AsyncGenerator<ForeignLine> {
    for await (const line of lines) {
      this.isHostAssumed ||= line.isHostAssumed === true;
      yield line;
    }
  }

  get leftOut(): readonly { readonly what: string; readonly count: number }[] {
    return [...this.#leftOut].map(([what, count]) => ({ what, count }));
  }
}

/** Lines that were not kept, as the command writes them beside a file. */
class Rejects {
  readonly #lines: string[] = [];
  #length = 0;
  isCut = false;

  add(line: ForeignLine, detail: string): void {
    const record = 'problem' in line ? (line.given ?? line.raw) : line.value;
    const text = `${JSON.stringify({ line: line.line, detail, record })}\n`;
    this.isCut ||= this.#length + text.length > maxRejects;
    if (this.isCut) return;
    this.#length += text.length;
    this.#lines.push(text);
  }

  get text(): string {
    return this.#lines.join('');
  }
}

const anotherFile = (): Refusal =>
  new Refusal('too-many-requests', 'Another file of this organisation is being read. Try again once that is done.', {
    retryAfterSeconds: 10,
  });

const otherParquetFiles = (): Refusal =>
  new Refusal('unavailable', 'Other Parquet files are being read on this server. Try again in a moment.', {
    retryAfterSeconds: 10,
  });

/** The last part of a name, for sentences. No file is ever opened by it. */
const nameOf = (given: string | undefined): string =>
  given
    ?.replace(/^.*[\\/]/s, '')
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '')
    .slice(0, 100) || 'The file';

function tableIn(name: string | undefined): RecordTable | undefined {
  if (name === undefined || name === '') return undefined;
  if (isRecordTable(name)) return name;
  throw new Refusal('bad-input', noSuchTable(name));
}

function foreignOptions({ map, set, dates }: UploadRequest['Querystring']): ForeignOptions {
  const order = wordIn<DayOrder>('dates', dates, dayOrders);
  return { map: textsIn('map', map), set: textsIn('set', set), ...(order && { dates: order }) };
}

function textsIn(name: string, json: string | undefined): Record<string, string> {
  if (json === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value);
    if (entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) {
      return Object.fromEntries(entries);
    }
  }
  throw new Refusal('bad-input', `${name} must be a JSON object of texts.`);
}

/** A sentence of the command's import without its options: the page has fields for them. */
const inForm = (text: string): string =>
  text
    .replace(/: add --dates dmy or --dates mdy/g, ': choose the order of days')
    .replace(/: --map '[^']*='/g, '')
    .replace(/, which --map names/g, '')
    .replace(/, which --table \w+ imports/g, '')
    .replace(/--(?:map|set): /g, '');
