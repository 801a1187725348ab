import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import pino from 'pino';
import type { Settings } from '../config.ts';
import { answers } from '../control/control-client.ts';
import { startControlServer } from '../control/control-server.ts';
import { type Operations, operationsOf } from '../control/operations.ts';
import type { DataFolder } from '../data-folder.ts';
import { buildAdminApp } from '../http/admin.ts';
import { Drain } from '../http/drain.ts';
import { PrometheusMetrics } from '../http/prometheus.ts';
import { buildApp } from '../http/server.ts';
import { SurveyDivisions } from '../jobs/hourly-survey-division.ts';
import { SyncSchedule } from '../jobs/schedule.ts';
import {
  addFurtherHandles,
  FurtherHandles,
  type ListeningServer,
  operatorHandleCount,
  publicHandleCount,
} from '../listening-handles.ts';
import { openApp } from '../main.ts';
import { Refusal } from '../refusal.ts';
import { Maintenance } from '../safety/maintenance.ts';
import { readNotice } from '../server-notice.ts';
import { waitForFolder } from './own-folder.ts';
import { baseUrl, storeMark } from './server-connection.ts';
import type { Terminal } from './terminal.ts';

export interface RunningServer {
  readonly url: string;
  /** The address at which people find the service. */
  readonly publicUrl: string;
  readonly adminUrl: string | undefined;
  readonly folder: string;
  readonly operations: Operations;
  readonly now: () => Date;
  /** Work behind the service. It is told to stop, and waited for, before anything is closed. */
  runBehind(work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Answers what is under way, closes everything, and lets `stopped` be true. */
  stop(): Promise<void>;
  readonly stopped: Promise<void>;
}

/** In-flight requests get this long; then the process ends anyway, since service managers wait little longer. */
const graceMs = 8_000;

export async function startServer(
  settings: Settings,
  terminal: Terminal,
  { withFurtherHandles = true }: { readonly withFurtherHandles?: boolean } = {},
): Promise<RunningServer> {
  const folder = await claim(settings.folder);
  const lines = new LogLines(terminal.stderr);
  const log = pino({ level: settings.logLevel, base: null }, lines);
  const onError = (error: unknown) => log.error({ err: error }, 'error outside any request');
  const undo: (() => Promise<void> | void)[] = [() => lines.close(), () => folder.release()];
  const stop = once(async () => {
    for (const step of undo.reverse()) await step();
  });
  try {
    const app = await openApp(settings, { onError, opener: 'serve' });
    undo.push(() => app.close());
    await app.openid?.signIn.organisations();
    const prometheus = new PrometheusMetrics();
    prometheus.watchAnswers({
      memoryBytes: () => app.answerMemory.used,
      diskBytes: () => app.warehouse.spooledBytes,
    });
    const drain = new Drain();
    const ready = async () => {
      await app.store.read((session) => session.rows('SELECT 1 AS one'));
      await app.warehouse.ready();
    };
    const httpApp = await buildApp({
      ...app,
      ready,
      settings,
      logger: log,
      prometheus,
      drain,
      spoolFolder: settings.folder,
    });
    undo.push(() => httpApp.close());
    await listen(httpApp, { host: settings.host, port: settings.port }, ['PLUMB_HOST', 'PLUMB_PORT']);
    const { port } = httpApp.server.address() as AddressInfo;
    const url = baseUrl({ host: settings.host, port });
    const { server, furtherHandles: further } = httpApp;
    const listening: ListeningServer[] = [{ server, further, count: publicHandleCount }];
    let adminUrl: string | undefined;
    if (settings.adminPort !== undefined) {
      const admin = await buildAdminApp({ prometheus, drain, ready, logger: log });
      const further = new FurtherHandles(admin.server);
      undo.push(() => Promise.all([admin.close(), further.close()]).then(() => {}));
      listening.push({ server: admin.server, further, count: operatorHandleCount });
      const place = { host: settings.adminHost, port: settings.adminPort };
      await listen(admin, place, ['PLUMB_ADMIN_HOST', 'PLUMB_ADMIN_PORT']);
      adminUrl = baseUrl({ host: place.host, port: (admin.server.address() as AddressInfo).port });
    }
    const operationsFor = (user: string) =>
      operationsOf(
        {
          ...app,
          tables: () => app,
          place: settings,
          baseUrl: () => settings.publicUrl ?? url,
          progressOf: (id) => app.syncs.progressOf(id),
          isServing: true,
        },
        { via: 'command', user },
      );
    const control = await startControlServer({ operationsFor, onError });
    undo.push(() => control.close());
    listening.push({ ...control, count: operatorHandleCount });
    if (withFurtherHandles) {
      void addFurtherHandles(listening).then((isComplete) => {
        if (!isComplete) log.warn('connections are accepted one at a time: no further listening handles');
      });
    }
    folder.announce({
      pid: process.pid,
      url: settings.publicUrl ?? url,
      store: storeMark(settings),
      controlPort: control.port,
      token: control.token,
    });
    const maintenance = new Maintenance({
      ...app,
      recomputed: (organisation) => log.info({ organisation }, 'recomputed by the rules of this version'),
      onError,
    });
    undo.push(() => maintenance.stop());
    const schedule = new SyncSchedule({
      ...app,
      sync: (sourceId, signal, lastStart) => app.syncs.sync(sourceId, { signal, lastStart }),
      onError,
    });
    undo.push(() => schedule.close());
    const sender = app.messageSender((medium, state) => prometheus.countMessage(medium, state));
    undo.push(() => sender.close());
    app.messages.onWake(() => sender.wake());
    prometheus.watchMessages(() => app.messages.waiting());
    const { evaluations } = app;
    undo.push(() => evaluations.close());
    app.syncs.watch(({ organisation_id }) => evaluations.noteRead(organisation_id));
    const divisions = new SurveyDivisions({ ...app, onError });
    undo.push(() => divisions.close());
    // Both go through all organisations. The one that questions wait for comes first.
    const published = app.ingest.publisher.publishAll().catch(onError);
    void published.then(() => {
      maintenance.start();
      schedule.start();
      divisions.start();
      sender.start();
      evaluations.start();
      app.syncs.onWake(() => void schedule.look().catch(onError));
      void app.rereads.start().catch(onError);
    });
    const stopping = new AbortController();
    const behind = new Set<Promise<void>>();
    undo.push(() => Promise.allSettled(behind).then(() => {}));
    undo.push(() => httpApp.drain());
    undo.push(() => stopping.abort());
    log.info({ url, adminUrl, folder: folder.path, store: app.store.engine }, 'serving');
    const stopped = untilSignal(stop, log);
    const publicUrl = settings.publicUrl ?? url;
    return {
      url,
      publicUrl,
      adminUrl,
      folder: folder.path,
      operations: operationsFor('server'),
      now: app.now,
      runBehind: (work) => {
        const done = work(stopping.signal).catch((error: unknown) => {
          if (!stopping.signal.aborted) throw error;
        });
        behind.add(done);
        return done;
      },
      stop,
      stopped,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A command that owns the folder for a moment is waited for; another server is not. */
function claim(path: string): Promise<DataFolder> {
  return waitForFolder<never>(path, async () => {
    const notice = readNotice(path);
    if (!notice || !(await answers(notice))) return undefined;
    throw new Refusal(
      'conflict',
      `A Plumb server (process ${notice.pid}) already runs on the data folder ${path}, at ${notice.url}. ` +
        'Stop it first, or set PLUMB_DATA to another folder.',
    );
  });
}

interface ListeningPlace {
  readonly host: string;
  readonly port: number;
}

async function listen(
  httpApp: { listen(place: ListeningPlace): Promise<unknown> },
  place: ListeningPlace,
  [hostSetting, portSetting]: readonly [hostSetting: string, portSetting: string],
): Promise<void> {
  try {
    await httpApp.listen(place);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Refusal(
        'conflict',
        `Port ${place.port} is taken by another process. Set ${portSetting} to another one, or 0.`,
      );
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new Refusal('bad-input', `Cannot listen as ${hostSetting} and ${portSetting} say: ${message}.`);
    }
    throw error;
  }
}

function untilSignal(stop: () => Promise<void>, log: pino.Logger): Promise<void> {
  return new Promise((resolve, reject) => {
    const onSignal = (signal: NodeJS.Signals) => {
      log.info({ signal }, 'stopping');
      // A second signal means now.
      process.once(signal, () => process.exit(1));
      setTimeout(() => {
        log.warn('some requests did not end in time');
        process.exit(0);
      }, graceMs).unref();
      stop().then(resolve, reject);
    };
    process.once('SIGTERM', onSignal);
    process.once('SIGINT', onSignal);
    process.once('SIGHUP', onSignal);
  });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/**
 * The log, written once for each turn of the event loop: a line for each request, written by itself, costs more than the
 * rest of a cached answer. What is not written when the process ends is written then.
 */
export class LogLines {
  readonly #stream: Writable;
  readonly #flush = () => this.flush();
  #waiting = '';

  constructor(stream: Writable) {
    this.#stream = stream;
    process.once('exit', this.#flush);
  }

  write(line: string): void {
    if (this.#waiting === '') setImmediate(this.#flush);
    this.#waiting += line;
  }

  flush(): void {
    const lines = this.#waiting;
    this.#waiting = '';
    if (lines !== '') this.#stream.write(lines);
  }

  close(): void {
    process.off('exit', this.#flush);
    this.flush();
  }
}
