import { afterEach, describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import { readReleases } from './reading.ts';
import { ada, bo, SomeClone } from './some-clone.ts';

let clone: SomeClone;
afterEach(() => clone.remove());

describe('releases of a clone', () => {
  test('Releases of a clone are its tags: annotated ones by who tagged and when, light ones by their commit', async () => {
    clone = new SomeClone();
    clone.commit('Begin', { at: '2024-03-01T09:00:00Z', by: ada });
    clone.git(['tag', 'v1.0.0-rc.1']);
    clone.git(['tag', '-a', '-m', 'First', 'v1.0.0'], { at: '2024-03-05T08:00:00Z', by: bo });
    // A tag of something that is no commit is no release.
    clone.git(['tag', 'a-tree', clone.git(['rev-parse', 'HEAD^{tree}'])]);

    const read = await readReleases(clone.path);

    expect(read.of('release_details')).toEqual([
      {
        release_id: 'github:acme/web@v1.0.0',
        version: 'v1.0.0',
        source: 'github',
        repository: 'acme/web',
        created_at: '2024-03-05T08:00:00Z',
        release_date: '2024-03-05T08:00:00Z',
        is_prerelease: false,
        person_email: 'bo@acme.test',
        person_name: 'Bo',
      },
      {
        release_id: 'github:acme/web@v1.0.0-rc.1',
        version: 'v1.0.0-rc.1',
        source: 'github',
        repository: 'acme/web',
        created_at: '2024-03-01T09:00:00Z',
        release_date: '2024-03-01T09:00:00Z',
        is_prerelease: true,
      },
    ]);
    const shape = recordShapeFor('release_details');
    for (const row of read.of('release_details')) expect(readRecord(shape, row)).toHaveProperty('record');
  });

  test('Releases of a clone are read again only when a tag was made, moved or deleted', async () => {
    clone = new SomeClone();
    clone.commit('Begin', { at: '2024-03-01T09:00:00Z' });
    clone.git(['tag', 'v1']);
    const { mark = null } = await readReleases(clone.path);

    expect((await readReleases(clone.path, { mark })).pages[0]).toMatchObject({ isUnchanged: true, records: [] });
    clone.commit('Go on', { at: '2024-03-02T09:00:00Z' });
    clone.git(['tag', '-f', 'v1']);
    expect((await readReleases(clone.path, { mark })).of('release_details')).toEqual([
      expect.objectContaining({ version: 'v1', release_date: '2024-03-02T09:00:00Z' }),
    ]);
  });

  test('Releases of a clone of a clone without tags are none', async () => {
    clone = new SomeClone();
    clone.commit('Begin', { at: '2024-03-01T09:00:00Z' });

    expect((await readReleases(clone.path)).of('release_details')).toEqual([]);
  });
});
