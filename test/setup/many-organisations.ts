import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { openApp } from '../../src/main.ts';

export interface SomeOrganisation {
  readonly id: string;
  readonly key: string;
}

/**
 * Fills a folder with organisations, each with an Owner, a key and a file of its own. Making a file takes the engine
 * much longer than copying one, and what differs between them is brought up when they are first asked.
 */
export async function fillWithOrganisations(folder: string, count: number): Promise<SomeOrganisation[]> {
  const app = await openApp({ folder, databaseUrl: undefined });
  const organisations: SomeOrganisation[] = [];
  try {
    const actor = { via: 'command', user: 'test' } as const;
    for (let i = 0; i < count; i++) {
      const name = `Organisation ${i}`;
      const made = await createOrganisation(app.directory, actor, { name, ownerEmail: `owner@o${i}.example` });
      const { key } = await app.keys.create(made.id, actor, { creatorId: made.ownerId, name: 'test' });
      organisations.push({ id: made.id, key });
    }
    const template = organisations[0]?.id ?? '';
    await app.ingest.publisher.publish(template);
    // No directory has this version: each file is written to before its first question is answered.
    await app.warehouse.change(template, (session) => session.setDirectoryVersion(0));
  } finally {
    await app.close();
  }
  const fileOf = (id: string) => join(folder, 'warehouse', `${id}.duckdb`);
  const [first, ...others] = organisations;
  for (const { id } of others) copyFileSync(fileOf(first?.id ?? ''), fileOf(id));
  return organisations;
}
