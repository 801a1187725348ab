import { git } from '../../../src/sources/git/git.ts';
import type { SettingValues, Stream, StreamPosition } from '../../../src/sources/source.ts';
import { readWhole } from '../read-whole.ts';

/** The host is never asked: a clone lies on this machine. */
const requests = {
  get: () => Promise.reject(new Error('git asks nobody')),
  post: () => Promise.reject(new Error('git asks nobody')),
  graphql: () => Promise.reject(new Error('git asks nobody')),
};

export const openGit = (settings: SettingValues, signal = new AbortController().signal) =>
  git.open({ settings: { repository: 'acme/web', ...settings }, host: '', requests, signal });

export async function streamOf(settings: SettingValues, name: string): Promise<Stream> {
  for await (const stream of openGit(settings).streams()) if (stream.name === name) return stream;
  throw new Error(`git has no stream ${name}`);
}

export const readPullRequests = async (path: string, from: StreamPosition = {}, settings: SettingValues = {}) =>
  readWhole(await streamOf({ path, ...settings }, 'pull requests'), from);

export const readReleases = async (path: string, from: StreamPosition = {}, settings: SettingValues = {}) =>
  readWhole(await streamOf({ path, ...settings }, 'releases'), from);
