import { type ClientRequest, request } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '../../setup/signed-in.ts';
import { signIn } from '../../setup/signed-in.ts';
import { type Pages, startPages } from './signed-in-pages.ts';

let pages: Pages;
const open: ClientRequest[] = [];
beforeAll(async () => {
  pages = await startPages({ parts: () => ({ livePace: { lookMs: 20, commentMs: 50 } }) });
});
afterEach(() => {
  for (const one of open.splice(0)) one.destroy();
});
afterAll(() => pages.close());

interface LiveEvent {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** A page that listens, as an EventSource would. */
class Listening {
  readonly headers: Record<string, unknown> = {};
  readonly #events: LiveEvent[] = [];
  readonly ended: Promise<void>;
  status = 0;
  comments = 0;
  #news = () => {};

  private constructor(ended: Promise<void>) {
    this.ended = ended;
  }

  static async open(who: SignedIn, port = pages.service.port): Promise<Listening> {
    let end = () => {};
    const listening = new Listening(
      new Promise<void>((resolve) => {
        end = resolve;
      }),
    );
    await new Promise<void>((resolve, reject) => {
      const asked = request(
        { port, host: '127.0.0.1', path: '/app/events', headers: who.headers, agent: false },
        (response) => {
          listening.status = response.statusCode ?? 0;
          Object.assign(listening.headers, response.headers);
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
            for (let at = text.indexOf('\n\n'); at !== -1; at = text.indexOf('\n\n')) {
              listening.#take(text.slice(0, at));
              text = text.slice(at + 2);
            }
          });
          response.on('close', end);
          resolve();
        },
      );
      asked.on('error', reject);
      open.push(asked);
      asked.end();
    });
    return listening;
  }

  #take(block: string): void {
    if (block.startsWith(':')) this.comments += 1;
    const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? [];
    if (event !== undefined) this.#events.push({ event, data: JSON.parse(data ?? '') as Record<string, unknown> });
    this.#news();
  }

  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      await new Promise<void>((resolve) => {
        this.#news = resolve;
      });
    }
  }

  /** Waits for an event that fits. */
  async event(fits: (one: LiveEvent) => boolean): Promise<LiveEvent> {
    await this.until(() => this.#events.some(fits));
    return this.#events.find(fits) as LiveEvent;
  }
}

async function addedSource(): Promise<string> {
  const body = { kind: 'toy', name: 'Live', settings: { token: 'word', base_url: pages.hostUrl } };
  return ((await pages.owner.request('POST', '/app/sources', body)).json as { id: string }).id;
}

test('A page hears how far a sync is, and that there is new data', async () => {
  const [owner, engineer] = [await Listening.open(pages.owner), await Listening.open(pages.engineer)];
  expect(owner.status).toBe(200);
  expect(owner.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const first = await owner.event(({ event }) => event === 'data');
  const id = await addedSource();
  const sync = pages.syncs.sync(id, { signal: new AbortController().signal });
  const isRunning = ({ event, data }: LiveEvent) => event === 'sync' && data.is_running === true;
  expect((await owner.event(isRunning)).data).toMatchObject({ source: { id, name: 'Live' } });

  const now = Math.floor(Date.now() / 1_000);
  const person = { source: 'github', person_login: 'ada' };
  const record = { pr_id: 'p1', repository: 'acme/web', pr_created_at: new Date(now * 1_000).toISOString(), ...person };
  const page = { records: [{ table: 'pull_requests', records: [record] }], count: 1, total: 2, at: now } as const;
  await pages.gated.answer({ ...page, next: 'more' });
  const isCounted = ({ event, data }: LiveEvent) =>
    event === 'sync' && (data.progress as { done?: number } | null)?.done === 1;
  expect((await owner.event(isCounted)).data).toMatchObject({
    progress: { phase: 'reading', streams: [{ scope: 'acme/web', stream: 'pull requests', done: 1 }] },
  });
  // Which repositories there are is not for everybody.
  expect((await engineer.event(isCounted)).data).toMatchObject({ progress: { done: 1, streams: [] } });
  const isNew = ({ event, data }: LiveEvent) => event === 'data' && data.version !== first.data.version;
  await owner.event(isNew);

  const status = (await pages.engineer.request('GET', '/app/status')).json;
  expect(status).toMatchObject({
    connections: 1,
    syncing: [{ id, name: 'Live', progress: { streams: [] } }],
    rows: null,
  });

  await pages.gated.answer({ records: [], count: 1, at: now });
  expect(await sync).toEqual({ outcome: 'complete' });
  const isOver = ({ event, data }: LiveEvent) => event === 'sync' && data.is_running === false;
  expect((await owner.event(isOver)).data).toMatchObject({ progress: { phase: 'complete' } });
  await pages.owner.request('DELETE', `/app/sources/${id}`);
});

test('Nobody hears of another organisation', async () => {
  const { app } = pages.service;
  const { other } = pages;
  const { token } = await app.sessions.begin(other.id, other.personId, 'password');
  const stranger = { ...pages.owner, headers: { cookie: `plumb_session=${token}` } };
  const [theirs, ours] = [await Listening.open(stranger), await Listening.open(pages.owner)];
  const id = await addedSource();
  const stop = new AbortController();
  const sync = pages.syncs.sync(id, { signal: stop.signal });
  await ours.event(({ event }) => event === 'sync');
  const seen = theirs.comments;
  await theirs.until(() => theirs.comments > seen + 1);
  let heard = false;
  void theirs
    .event(({ event }) => event === 'sync')
    .then(() => {
      heard = true;
    });
  stop.abort(new Error('enough'));
  await expect(sync).rejects.toThrow('enough');
  await pages.owner.request('DELETE', `/app/sources/${id}`);
  expect(heard).toBe(false);
});

test('The stream of events ends when the session ends, and when somebody becomes somebody else', async () => {
  const { service, owner } = pages;
  const signedOut = await signIn(service, 'barbara@example.com');
  const barbara = await Listening.open(signedOut);
  expect((await signedOut.request('POST', '/app/sign-out', {})).status).toBe(204);
  await barbara.ended;
  const promoted = await Listening.open(await signIn(service, 'donald@example.com'));
  const id = await service.idOf('donald@example.com');
  await owner.request('PATCH', `/app/people/${id}`, { access_role: 'Manager' });
  await promoted.ended;
  const removed = await Listening.open(await signIn(service, 'donald@example.com'));
  await owner.request('DELETE', `/app/people/${id}`);
  await removed.ended;
});

test('Comments keep it open, and nobody keeps more than a few', async () => {
  const { service } = pages;
  const who = await signIn(service, 'barbara@example.com');
  const listening = await Promise.all([1, 2, 3, 4].map(() => Listening.open(who)));
  expect(listening.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await listening[0]?.until(() => (listening[0]?.comments ?? 0) > 1);
  const fifth = await who.request('GET', '/app/events');
  expect([fifth.status, fifth.json]).toEqual([429, { detail: expect.stringContaining('Close one') }]);
  open.pop()?.destroy();
  await listening[3]?.ended;
  // The service hears of it a moment later than we do.
  let again = await Listening.open(who);
  while (again.status !== 200) again = await Listening.open(who);
  expect(again.status).toBe(200);
});

test('An open page does not keep the service from stopping, nor counts as a request under way', async () => {
  const own = await startPages({ parts: () => ({ load: { ofKey: 2, ofOrganisation: 3 } }) });
  const listening: Listening[] = [];
  for (let i = 0; i < 4; i += 1) listening.push(await Listening.open(own.owner, own.service.port));
  expect(listening.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await own.owner.request('GET', '/app/session')).status).toBe(200);
  await own.close();
  for (const one of listening) await one.ended;
});
