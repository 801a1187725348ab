import { afterAll, beforeAll } from 'vitest';
import { type Service, startService } from './running-app.ts';

/**
 * A service that all test files of a process share which change nothing in it: it starts once instead of once for each.
 * A file that changes something after all fails at its end.
 */
const started = new Map<string, Promise<Service>>();

/** The service of test/setup/running-app.ts as it is, while the tests of a file run. */
export const unchangedService = (): (() => Service) => unchanged('the organisation', startService);

/** What is started is told by its name. */
export function unchanged(name: string, start: () => Promise<Service>): () => Service {
  let service: Service | undefined;
  let before: unknown;
  const versionOf = async ({ app, organisationId }: Service) => {
    const versions = 'SELECT version FROM organisations ORDER BY id';
    const data = await app.store.read((session) => session.rows(versions));
    return JSON.stringify([data, app.warehouse.versionOf(organisationId)]);
  };
  beforeAll(async () => {
    const starting = started.get(name) ?? start();
    started.set(name, starting);
    service = await starting;
    before = await versionOf(service);
  });
  afterAll(async () => {
    if (!service) return;
    if ((await versionOf(service)) === before) return;
    started.delete(name);
    throw new Error('This file changes the service that others share. It needs one of its own.');
  });
  return () => {
    if (!service) throw new Error('the service is there only while tests run');
    return service;
  };
}
