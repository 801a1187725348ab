import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callServer } from '../../setup/called-server.ts';
import { callPlumb } from '../../setup/plumb-call.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { commandMistakes } from './command-mistakes.ts';
import { httpMistakes } from './http-mistakes.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => rmSync(service.folder, { recursive: true, force: true }));

test('There are sixty typical mistakes and more, each another one', () => {
  const names = [...httpMistakes, ...commandMistakes].map(({ mistake }) => mistake);
  expect(names.length).toBeGreaterThanOrEqual(60);
  expect(new Set(names).size).toBe(names.length);
});

describe('over HTTP a sentence names the fix of', () => {
  test.each(httpMistakes)(
    '$mistake',
    async ({ path, method = 'POST', body, headers = {}, as = 'owner', status, fix }) => {
      const key = as === 'nobody' ? {} : { key: service.keys[as] };
      const answer = await service.request(method, path, { ...key, headers, ...(body === undefined ? {} : { body }) });
      const { detail } = answer.json as { detail: string };
      expect([answer.status, detail]).toEqual([status, expect.stringMatching(fix)]);
    },
  );
});

describe('on the command line a sentence names the fix of', () => {
  /** Asked through a server, where a command need not open the folder. */
  beforeAll(async () => {
    await service.httpApp.close();
    await service.app.close();
    const server = await callServer(service.folder);
    return () => server.abandon();
  });

  test.each(commandMistakes)('$mistake', async ({ words, environment = {}, code, fix }) => {
    // What is restored goes into a folder of its own.
    const folder = words[0] === 'restore' ? join(service.folder, 'restored') : service.folder;
    const answer = await callPlumb(folder, words, { environment });
    expect([answer.code, answer.stderr]).toEqual([code, expect.stringMatching(fix)]);
  });
});
