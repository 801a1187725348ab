import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { putRecords } from '../../src/directory/put-records.ts';
import { type App, openApp } from '../../src/main.ts';

const share = Number(process.env.PLUMB_BENCH_SHARE ?? 1);
/** So many in the share of the measurement that is made. */
export const sized = (rows: number): number => Math.max(100, Math.round(rows * share));

export const people = 400;
export const repositories = 200;

/** The data of all parts, which the end of the measurement removes. */
export const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-'));
export const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });

export async function openOrganisation(name: string): Promise<{ app: App; id: string }> {
  mkdirSync(join(folder, name));
  const app = await openApp({ folder: join(folder, name), databaseUrl: undefined });
  const { id } = await createOrganisation(app.directory, { via: 'demo' }, { name, ownerEmail: 'owner@bench.example' });
  const context = { organisationId: id, actor: { via: 'demo' } } as const;
  const lines = Array.from({ length: people }, (_, i) => ({
    line: i + 1,
    value: {
      main_email: `person${i}@bench.example`,
      name: `Person ${i}`,
      github_username: `person${i}`,
      onboarded: true,
    },
  }));
  await putRecords(app.directory, context, 'people', lines);
  return { app, id };
}
