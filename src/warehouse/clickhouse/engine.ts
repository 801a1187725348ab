import { randomUUID } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import type { Value } from '../../catalogue/table.ts';
import { Refusal } from '../../refusal.ts';
import { away, tooSlow, unanswered, understood } from './engine-failures.ts';
import { parquetSettings, type QuestionLimits, readingSettings, writingSettings } from './engine-settings.ts';
import type { BoundStatement } from './statement.ts';
import { defaultWatch, type WatchTerms, watchStatement } from './statement-watch.ts';

export interface EngineTerms {
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
  /** A caller asked it: the limits of questions hold. Without it intake reads what it needs. */
  readonly isQuestion?: boolean | undefined;
  /** A longer answer is refused (`isTooLong`), and never leaves the server. */
  readonly maxBytes?: number | undefined;
  /**
   * The statement is about all organisations. Every other one is about a single organisation, and goes to its shard
   * alone.
   */
  readonly isOfAll?: boolean | undefined;
}

/** As whom everything is read, where that is not the user who writes, and what one question may take. */
export interface QuestionTerms {
  readonly account?: { readonly user: string; readonly password: string } | undefined;
  readonly limits: QuestionLimits;
}

interface EngineOptions {
  readonly isCluster?: boolean;
  readonly questions?: QuestionTerms;
  readonly watch?: WatchTerms | undefined;
}

/** The engine behind its HTTP interface. Every value that a statement takes is bound by the client. */
export class ClickHouseEngine {
  readonly #writer: ServerUser;
  /** The same, or a user who may only read. */
  readonly #reader: ServerUser;
  readonly #limits: QuestionLimits;
  readonly #isCluster: boolean;
  readonly #watch: WatchTerms;

  constructor(
    url: string,
    { isCluster = false, questions = { limits: {} }, watch = defaultWatch }: EngineOptions = {},
  ) {
    const { account, limits } = questions;
    this.#writer = serverUserAt(url);
    this.#reader = account ? serverUserAt(urlFor(url, account.user, account.password)) : this.#writer;
    this.#limits = limits;
    this.#isCluster = isCluster;
    this.#watch = watch;
  }

  /** The lines of an answer, all of them or an error. */
  async lines(statement: BoundStatement, terms: EngineTerms): Promise<string[]> {
    return this.#reading(terms, async (asked) => {
      const answer = await this.#reader.statements.query({
        ...asked,
        ...queryOf(statement),
        format: 'TabSeparatedRaw',
      });
      const text = await answer.text();
      return text === '' ? [] : text.slice(0, text.endsWith('\n') ? -1 : undefined).split('\n');
    });
  }

  /** The time of the server's clock, in milliseconds. */
  async now(): Promise<number> {
    const statement = { sql: 'SELECT toUnixTimestamp64Milli(now64(3))', values: {} };
    const [said] = await this.lines(statement, { seconds: clockSeconds });
    return Number(said);
  }

  /** The same, some at a time, and no more than are asked for. */
  async *stream(statement: BoundStatement, terms: EngineTerms): AsyncGenerator<string[]> {
    const stop = new AbortController();
    const signal = terms.signal ? AbortSignal.any([terms.signal, stop.signal]) : stop.signal;
    try {
      const answer = await this.#reading({ ...terms, signal }, (asked) =>
        this.#reader.statements.query({ ...asked, ...queryOf(statement), format: 'TabSeparatedRaw' }),
      );
      for await (const rows of answer.stream()) yield rows.map(({ text }) => text);
    } catch (error) {
      terms.signal?.throwIfAborted();
      throw understood(error, terms.seconds);
    } finally {
      stop.abort();
    }
  }

  /** An answer as a Parquet file. Its bytes come once it is complete. */
  async parquet({ sql, values }: BoundStatement, terms: EngineTerms): Promise<Readable> {
    const { stream } = await this.#reading(terms, (asked) =>
      this.#reader.statements.exec({
        ...asked,
        clickhouse_settings: { ...asked.clickhouse_settings, ...parquetSettings },
        ...queryOf({ sql: `${sql} FORMAT Parquet`, values }),
      }),
    );
    return understoodBytes(stream, terms.seconds);
  }

  async insert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly Value[])[],
    token?: string,
  ): Promise<void> {
    if (rows.length === 0) return;
    await this.#writing({ token }, async (asked) => {
      await this.#writer.statements.insert({
        ...asked,
        table,
        columns: columns as [string, ...string[]],
        values: rows,
        format: 'JSONCompactEachRow',
      });
    });
  }

  /** A statement that reads `input(…)`, with a Parquet file as that. */
  async insertParquet({ sql, values }: BoundStatement, parquet: Readable, token: string): Promise<void> {
    await this.#writing({ token }, async (asked) => {
      const statement = queryOf({ sql: `${sql} FORMAT Parquet`, values });
      const { stream } = await this.#writer.statements.exec({ ...asked, ...statement, values: parquet });
      // The answer is empty, and its connection is free once it was read.
      for await (const _ of stream);
    });
  }

  /** A statement that writes, or changes tables. */
  async run(statement: BoundStatement, seconds: number = maxSeconds): Promise<void> {
    await this.#writing({ seconds }, async (asked) => {
      await this.#writer.statements.command({ ...asked, ...queryOf(statement) });
    });
  }

  async close(): Promise<void> {
    const accounts = new Set([this.#writer, this.#reader]);
    for (const { statements, oversight } of accounts) await Promise.all([statements.close(), oversight.close()]);
  }

  #reading<T>(
    { seconds, signal, isQuestion = false, isOfAll, maxBytes }: EngineTerms,
    work: (asked: Asked) => Promise<T>,
  ): Promise<T> {
    const limits = isQuestion ? this.#limits : {};
    const settings = readingSettings(seconds, this.#isCluster, { limits, isOfAll, maxBytes });
    return this.#within({ seconds, signal, user: this.#reader }, (asked) =>
      work({ ...asked, clickhouse_settings: settings }),
    );
  }

  #writing(
    { seconds = maxSeconds, token }: { readonly seconds?: number; readonly token?: string | undefined },
    work: (asked: Asked) => Promise<void>,
  ): Promise<void> {
    const settings = writingSettings(seconds, this.#isCluster, token);
    return this.#within({ seconds, user: this.#writer }, (asked) => work({ ...asked, clickhouse_settings: settings }));
  }

  /** A caller that gives up also ends the statement on the server, which would not notice otherwise. */
  async #within<T>(
    { seconds, signal, user }: EngineTerms & { readonly user: ServerUser },
    work: (asked: Omit<Asked, 'clickhouse_settings'>) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const queryId = randomUUID();
    const [late, lost, over] = [new AbortController(), new AbortController(), new AbortController()];
    const timer = setTimeout(() => late.abort(), (seconds + graceSeconds) * 1_000);
    const ended = AbortSignal.any([late.signal, lost.signal, ...(signal ? [signal] : [])]);
    const kill = () => void killBy(user.oversight, queryId);
    ended.addEventListener('abort', kill);
    if (seconds >= watchedSeconds) {
      const isRunning = (within: AbortSignal) => this.#isRunning(user.oversight, queryId, within);
      void watchStatement(isRunning, this.#watch, over.signal, () => lost.abort());
    }
    try {
      return await work({ query_id: queryId, abort_signal: ended });
    } catch (error) {
      signal?.throwIfAborted();
      if (lost.signal.aborted) throw unanswered(error);
      throw late.signal.aborted ? tooSlow(seconds, error) : understood(error, seconds);
    } finally {
      over.abort();
      clearTimeout(timer);
      ended.removeEventListener('abort', kill);
    }
  }

  /**
   * Whether the server is at work on a statement. In a cluster another server may answer, and a user may not be allowed to
   * look: then any answer of ClickHouse will do.
   */
  async #isRunning(client: ClickHouseClient, queryId: string, abort_signal: AbortSignal): Promise<boolean> {
    const query = 'SELECT count() FROM system.processes WHERE query_id = {id:String}';
    const asked = { query, query_params: { id: queryId }, format: 'TabSeparatedRaw', abort_signal } as const;
    try {
      const text = await (await client.query(asked)).text();
      return this.#isCluster || Number(text) > 0;
    } catch (error) {
      return error instanceof ClickHouseError;
    }
  }
}

/** The same bytes, whose failure is one that a caller can understand, also where it comes before they are read. */
function understoodBytes(bytes: Readable, seconds: number): Readable {
  const passed = new PassThrough();
  passed.on('error', () => {});
  passed.once('close', () => bytes.destroy());
  bytes.once('error', (error) => passed.destroy(understood(error, seconds) as Error));
  bytes.once('close', () => {
    if (!bytes.readableEnded) passed.destroy(away());
  });
  return bytes.pipe(passed);
}

/** Every user may end statements of their own. It may have ended by itself, and the connection may be what the caller gave up on. */
async function killBy(client: ClickHouseClient, queryId: string): Promise<void> {
  const query = 'KILL QUERY WHERE query_id = {id:String} ASYNC';
  const abort_signal = AbortSignal.timeout(maxKillMs);
  await client.command({ query, query_params: { id: queryId }, abort_signal }).catch(() => {});
}

interface Asked {
  readonly query_id: string;
  readonly clickhouse_settings: ClickHouseSettings;
  readonly abort_signal: AbortSignal;
}

/** A user of the server. */
interface ServerUser {
  readonly statements: ClickHouseClient;
  /** To look after statements, on connections of its own: those of the statements may all be taken. */
  readonly oversight: ClickHouseClient;
}

function serverUserAt(url: string): ServerUser {
  try {
    return { statements: clientAt(url, maxConnections), oversight: clientAt(url, maxOverseeing) };
  } catch (error) {
    const [, names] = /^Unknown URL parameters: (.*)$/.exec(error instanceof Error ? error.message : '') ?? [];
    if (names === undefined) throw error;
    throw new Refusal('bad-input', `The address of the tables has parameters that are not known: ${names}.`);
  }
}

const clientAt = (url: string, max_open_connections: number): ClickHouseClient =>
  createClient({
    url,
    application: 'plumb',
    max_open_connections,
    // A statement has a time limit of its own; this one is for a server that says nothing any more.
    request_timeout: (maxSeconds + 60) * 1_000,
    // Its errors reach the log of the service with the request that met them.
    log: { level: ClickHouseLogLevel.OFF },
    use_multipart_params_auto: true,
  });

function urlFor(url: string, user: string, password: string): string {
  const other = new URL(url);
  other.username = encodeURIComponent(user);
  other.password = encodeURIComponent(password);
  return other.href;
}

const maxConnections = 32;
const maxOverseeing = 8;
/** The longest that any statement may take. */
export const maxSeconds = 600;
/** A statement that may take this long is watched. Callers with questions have given up by then. */
const watchedSeconds = 60;
/** The server ends a statement after its time. One that says nothing by then is not waited for much longer. */
const graceSeconds = 3;
const maxKillMs = 5_000;
/** An engine that takes one statement at a time may say it late. */
const clockSeconds = 30;

const queryOf = ({ sql, values }: BoundStatement) => ({ query: sql, query_params: values });
