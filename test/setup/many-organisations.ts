import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { openApp, openDirectoryApp } from '../../src/main.ts';

export interface SomeOrganisation {
  readonly id: string;
  readonly key: string;
}

/**
 * Fills a folder with organisations, each with an Owner, a key and a file of its own. Making a file takes the engine
 * much longer than copying one, and what differs between them is published after the start of a server.
 */
export async function fillWithOrganisations(folder: string, count: number): Promise<SomeOrganisation[]> {
  const settings = { folder, databaseUrl: undefined };
  const organisations: SomeOrganisation[] = [];
  const directoryApp = await openDirectoryApp(settings);
  try {
    const actor = { via: 'command', user: 'test' } as const;
    for (let i = 0; i < count; i++) {
      const name = `Organisation ${i}`;
      const made = await createOrganisation(directoryApp.directory, actor, { name, ownerEmail: `owner@o${i}.example` });
      const { key } = await directoryApp.keys.create(made.id, actor, { creatorId: made.ownerId, name: 'test' });
      organisations.push({ id: made.id, key });
    }
  } finally {
    await directoryApp.close();
  }
  const app = await openApp(settings);
  try {
    const template = organisations[0]?.id ?? '';
    await app.ingest.publisher.publish(template);
    // No directory has this version: each file has to be published to before its first question is answered.
    await app.warehouse.change(template, (session) => session.setDirectoryVersion(0));
  } finally {
    await app.close();
  }
  const fileOf = (id: string) => join(folder, 'warehouse', `${id}.duckdb`);
  const [first, ...others] = organisations;
  for (const { id } of others) copyFileSync(fileOf(first?.id ?? ''), fileOf(id));
  return organisations;
}
