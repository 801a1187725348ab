import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pullRequestReviews } from '../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { type App, type EmbeddedApp, openApp } from '../../src/main.ts';
import { Maintenance, type MaintenanceParts } from '../../src/safety/maintenance.ts';
import { derivationRules } from '../../src/warehouse/schema.ts';
import { type StoreHome, someOrganisation } from '../conformance/stores.ts';
import { callServer } from '../setup/called-server.ts';
import { closedAfterAll } from '../setup/closed-after-all.ts';
import { threadsForFewRows } from '../setup/how-long.ts';
import { throwAway } from '../setup/thrown-away.ts';
import { patchRows } from '../warehouse/table-writes.ts';
import { digests, filledPlace, ingestHistory, within, withinLast } from './filled-app.ts';

/** Makes a file what an older Plumb would have left: something is not derived yet, and it knows of other rules. */
async function age({ warehouse }: App, id: string): Promise<void> {
  await warehouse.change(id, async (session) => {
    const reviews = await session.select(pullRequestReviews, ['pr_review_id']);
    await patchRows(
      session,
      pullRequestReviews,
      ['review_rounds_bucket'],
      reviews.map((row) => ({ ...row, review_rounds_bucket: null })),
    );
    const rows = await session.select(pullRequests, ['pr_id']);
    await patchRows(
      session,
      pullRequests,
      ['review_hours', 'reviews_count'],
      rows.map((row) => ({ ...row, review_hours: null, reviews_count: null })),
    );
    await session.setDerivationVersion(derivationRules - 1);
  });
}

const rulesOf = ({ warehouse }: App, id: string) => warehouse.read(id, (session) => session.derivationVersion());

/** Lets it look after everything until something is so. */
async function lookingAfter(app: App, parts: Partial<MaintenanceParts>, until: () => Promise<void>): Promise<void> {
  const maintenance = new Maintenance({
    ...app,
    recomputed: () => {},
    onError: (error) => {
      throw error;
    },
    everyMs: 5,
    ...parts,
  });
  maintenance.start();
  try {
    await until();
  } finally {
    await maintenance.stop();
  }
}

describe('maintenance', () => {
  const closing = closedAfterAll();
  let app: EmbeddedApp;
  let id: string;
  let pullRequestsThere = 30;
  beforeAll(async () => {
    const filled = await filledPlace();
    id = filled.id;
    app = await openApp({ ...filled.place, databaseUrl: undefined, threads: threadsForFewRows });
    closing(
      () => filled.place.remove(),
      () => app.close(),
      () => throwAway(filled.place.folder),
    );
  });

  /** Records that change nothing are no change. */
  async function oneMore(): Promise<void> {
    pullRequestsThere += 1;
    await ingestHistory(app, id, pullRequestsThere, ['pull_requests']);
  }

  test('Maintenance recomputes what was derived by other rules, once, and is distinguished from what is as it should be', async () => {
    expect(await rulesOf(app, id)).toBe(derivationRules);
    const before = await digests(app, id);
    await age(app, id);
    expect(await digests(app, id)).not.toEqual(before);
    const recomputed: string[] = [];
    await lookingAfter(app, { recomputed: (one) => recomputed.push(one) }, async () => {
      await expect.poll(() => recomputed).toEqual([id]);
      await ingestHistory(app, id, 30, ['pull_requests', 'pull_request_reviews']);
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(recomputed).toEqual([id]);
    expect(await digests(app, id)).toEqual(before);
    expect(await rulesOf(app, id)).toBe(derivationRules);
  });

  test('Maintenance brings rows back into order once for each change of them', async () => {
    await oneMore();
    const reclustered: string[] = [];
    let mayBegin = Promise.resolve();
    let isWaiting = false;
    const warehouse = {
      organisations: async () => {
        isWaiting = true;
        await mayBegin;
        isWaiting = false;
        return app.warehouse.organisations();
      },
      versionOf: (one: string) => app.warehouse.versionOf(one),
      recluster: (one: string) => {
        reclustered.push(one);
        return app.warehouse.recluster(one);
      },
    };
    await lookingAfter(app, { warehouse }, async () => {
      await expect.poll(() => reclustered).toEqual([id]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(reclustered).toEqual([id]);
      // A round between two commits of it would see two changes.
      let begin = () => {};
      mayBegin = new Promise((resolve) => {
        begin = resolve;
      });
      await expect.poll(() => isWaiting).toBe(true);
      await oneMore();
      begin();
      await expect.poll(() => reclustered).toEqual([id, id]);
    });
  });

  test('Maintenance looks again where something has to wait, although nothing changes', async () => {
    let rounds = 0;
    const warehouse = {
      organisations: () => app.warehouse.organisations(),
      versionOf: (one: string) => app.warehouse.versionOf(one) ?? 1,
      recluster: async () => {
        rounds += 1;
        return rounds < 3;
      },
    };
    await oneMore();
    await lookingAfter(app, { warehouse }, async () => {
      await expect.poll(() => rounds).toBe(3);
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(rounds).toBe(3);
  });

  test('Maintenance is given up when the server stops, and nothing of it is kept', async () => {
    await age(app, id);
    const before = await digests(app, id);
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const ingest = {
      renew: (one: string, signal: AbortSignal) => {
        begin();
        return app.ingest.renew(one, signal);
      },
    };
    const onError = (error: unknown) => expect(error).toBeUndefined();
    const maintenance = new Maintenance({ ...app, ingest, recomputed: () => {}, onError });
    maintenance.start();
    await begun;
    await maintenance.stop();
    expect(await rulesOf(app, id)).toBe(derivationRules - 1);
    expect(await digests(app, id)).toEqual(before);
  });

  test('Maintenance looks after everybody else when something is wrong with one, and says so', async () => {
    const { id: other } = await someOrganisation(app.store);
    await ingestHistory(app, other, 3, ['pull_requests', 'pull_request_reviews']);
    const ids = [id, other];
    for (const id of ids) await age(app, id);
    const [broken = ''] = [...ids].sort();
    const problems: unknown[] = [];
    const ingest = {
      renew: (id: string) => (id === broken ? Promise.reject(new Error('the disk is full')) : app.ingest.renew(id)),
    };
    const recomputed: string[] = [];
    const listeners = {
      onError: (error: unknown) => problems.push(error),
      recomputed: (id: string) => recomputed.push(id),
    };
    await lookingAfter(app, { ingest, ...listeners }, () =>
      expect.poll(() => recomputed).toEqual(ids.filter((id) => id !== broken)),
    );
    expect(problems.map(String)).toEqual(['Error: the disk is full']);
  });
});

describe('maintenance of what was closed', () => {
  let place: StoreHome;
  let id: string;
  beforeEach(async () => {
    ({ place, id } = await filledPlace());
  });
  afterEach(() => place.remove());

  test('Maintenance of what was closed keeps nobody waiting who asks meanwhile', async () => {
    await within(place, (app) => age(app, id));
    // Nothing is known yet of what the tables show, as in a server that was just started.
    await withinLast(place, async (app) => {
      const order: string[] = [];
      await Promise.all([
        app.ingest.renew(id).then(() => order.push('recomputed')),
        app.ingest.publisher.publish(id).then(() => order.push('asked')),
      ]);
      expect(order).toEqual(['asked', 'recomputed']);
    });
  });

  test('Maintenance of what was closed is still due for tables that were restored, which have yet to hear of the directory', async () => {
    await within(place, async (app) => {
      await age(app, id);
      await app.warehouse.change(id, (session) => session.setDirectoryVersion(0));
    });
    await withinLast(place, async (app) => {
      await app.ingest.bringUp(id);
      expect(await rulesOf(app, id)).toBe(derivationRules - 1);
      expect(await app.ingest.renew(id)).toBe(true);
    });
  });

  test('Maintenance of what was closed is what a server does when it is started on the files of an older one', async () => {
    const before = await within(place, async (app) => {
      const before = await digests(app, id);
      await age(app, id);
      return before;
    });
    const server = await callServer(place.folder, { PLUMB_LOG: 'info' });
    await expect.poll(() => server.stderr()).toContain('recomputed');
    await server.stop();
    expect(await withinLast(place, (app) => digests(app, id))).toEqual(before);
  });
});
