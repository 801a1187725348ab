import { git } from '../../../src/sources/git/git.ts';
import type { Page, SettingValues, Stream, StreamPosition } from '../../../src/sources/source.ts';

/** What a read of a stream has brought, page after page. */
export interface WholeRead {
  readonly pages: readonly Page[];
  /** The records of a table, in the order in which they came. */
  of(table: string): readonly Readonly<Record<string, unknown>>[];
  readonly mark: Page['mark'];
}

/** The host is never asked: a clone lies on this machine. */
const requests = {
  get: () => Promise.reject(new Error('git asks nobody')),
  graphql: () => Promise.reject(new Error('git asks nobody')),
};

export const openGit = (settings: SettingValues, signal = new AbortController().signal) =>
  git.open({ settings: { repository: 'acme/web', ...settings }, requests, signal });

export async function streamOf(settings: SettingValues, name: string): Promise<Stream> {
  for await (const stream of openGit(settings).streams()) if (stream.name === name) return stream;
  throw new Error(`git has no stream ${name}`);
}

export async function readWhole(stream: Stream, from: StreamPosition = {}): Promise<WholeRead> {
  const pages: Page[] = [];
  let position = from;
  for (;;) {
    const page = await stream.read(position);
    pages.push(page);
    if (page.next === undefined) break;
    position = { ...from, next: page.next };
  }
  const records = pages.flatMap((page) => page.records);
  return {
    pages,
    of: (table) => records.filter((some) => some.table === table).flatMap((some) => some.records),
    mark: pages[0]?.mark,
  };
}

export const readPullRequests = async (path: string, from: StreamPosition = {}, settings: SettingValues = {}) =>
  readWhole(await streamOf({ path, ...settings }, 'pull requests'), from);

export const readReleases = async (path: string, from: StreamPosition = {}, settings: SettingValues = {}) =>
  readWhole(await streamOf({ path, ...settings }, 'releases'), from);
