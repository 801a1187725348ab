import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pagePaths } from '../../../src/http/pages/built-pages.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { type SignedIn, signIn } from '../../setup/signed-in.ts';

const index = '<!doctype html><title>Plumb</title><script type="module" src="/assets/main-a1b2.js"></script>';
const script = `console.log(${JSON.stringify('plumb '.repeat(500))});`;
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

const folder = mkdtempSync(join(tmpdir(), 'plumb-pages-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), index);
writeFileSync(join(folder, 'assets/main-a1b2.js'), script);
writeFileSync(join(folder, 'assets/main-a1b2.js.gz'), gzipSync(script));
writeFileSync(join(folder, 'assets/main-a1b2.js.br'), brotliCompressSync(script));
writeFileSync(join(folder, 'assets/mark-c3d4.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
writeFileSync(join(folder, 'secret.txt'), 'not a file of the pages');
writeFileSync(join(folder, 'assets/.hidden'), 'not one either');

let service: Service;
let grace: SignedIn;
beforeAll(async () => {
  service = await startService({ parts: () => ({ pagesFolder: folder }) });
  grace = await signIn(service, 'grace@example.com');
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const withIds = pagePaths.map((path) => path.replace(':id', encodeURIComponent('github:acme/web#7')));

test('Every page of the application has its address here, and no other has', () => {
  const routes = readFileSync(new URL('../../../web/src/routes.ts', import.meta.url), 'utf8');
  // A page of the application has a folder.
  const drawn = [...routes.matchAll(/path: '([^']+)',\s+folder:/g)].map(([, path]) => path);
  expect(drawn.length).toBeGreaterThan(10);
  expect([...pagePaths].sort()).toEqual(drawn.sort());
});

describe('a page', () => {
  test.each(withIds)(
    '%s is the application for whoever is signed in, under its policy, and kept by nobody',
    async (path) => {
      const answer = await grace.request('GET', `${path}?range=30d`);
      expect([answer.status, answer.text]).toEqual([200, index]);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      const head = await grace.request('HEAD', path);
      expect([head.status, head.text]).toEqual([200, '']);
    },
  );

  test.each(withIds)('%s leads whoever is not signed in to where they can, and back', async (path) => {
    const wanted = `${path}?range=30d&team=a%26b`;
    const answer = await service.request('GET', wanted);
    expect(answer.status).toBe(303);
    const location = new URL(answer.headers.location ?? '', service.url);
    expect(location.pathname).toBe('/sign-in');
    expect([...location.searchParams.keys()]).toEqual(['next']);
    expect(location.searchParams.get('next')).toBe(wanted);
    expect(answer.text).not.toContain('script');
  });

  test('A page is not for a key, nor for a session that has ended', async () => {
    expect((await service.request('GET', '/', { key: service.keys.owner })).status).toBe(303);
    const ada = await signIn(service, 'ada@example.com');
    expect((await ada.request('GET', '/people')).status).toBe(200);
    expect((await ada.request('POST', '/app/sign-out', { everywhere: false })).status).toBe(204);
    expect((await ada.request('GET', '/people')).status).toBe(303);
  });

  test('A page takes GET only', async () => {
    const answer = await grace.request('POST', '/delivery', {});
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test('A page counts among the requests that a person may send', async () => {
    const limited = await startService({ rateLimit: 2, parts: () => ({ pagesFolder: folder }) });
    try {
      const person = await signIn(limited, 'grace@example.com');
      const statuses: number[] = [];
      for (let i = 0; i < 4; i += 1) statuses.push((await person.request('GET', '/')).status);
      expect(statuses).toContain(200);
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await limited.close();
    }
  });

  test('A page of an unknown address is 404, signed in or not', async () => {
    for (const path of ['/nowhere', '/settings/nothing', '/people/a/b', '/index.html']) {
      const [stranger, known] = [await service.request('GET', path), await grace.request('GET', path)];
      expect([stranger.status, known.status]).toEqual([404, 404]);
      expect(Object.keys(stranger.json as object)).toEqual(['detail']);
    }
  });
});

describe('a file of the pages', () => {
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${service.url}${path}`, { headers });

  test('A file of the pages may be kept for a year, since another one has another name', async () => {
    const answer = await get('/assets/main-a1b2.js', { 'accept-encoding': 'identity' });
    expect([answer.status, await answer.text()]).toEqual([200, script]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers.get('content-encoding')).toBeNull();
  });

  test('A file of the pages comes compressed to whoever takes that', async () => {
    const copies = { br: brotliCompressSync(script), gzip: gzipSync(script) };
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip, deflate', 'gzip'],
    ] as const) {
      const headers = { 'accept-encoding': accepted };
      const answer = await service.request('GET', '/assets/main-a1b2.js', { headers });
      expect(answer.headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': 'application/javascript; charset=utf-8',
        'content-length': String(copies[encoding].length),
        vary: expect.stringMatching(/accept-encoding/i),
        'cache-control': 'public, max-age=31536000, immutable',
      });
    }
    const raw = await get('/assets/main-a1b2.js.gz');
    expect(gunzipSync(Buffer.from(await raw.arrayBuffer())).toString()).toBe(script);
    const mark = await get('/assets/mark-c3d4.svg', { 'accept-encoding': 'gzip' });
    expect([mark.status, mark.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  test('A file of the pages is not sent again to whoever has it, and HEAD sends none of it', async () => {
    const etag = (await get('/assets/mark-c3d4.svg')).headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    const again = await service.request('GET', '/assets/mark-c3d4.svg', { headers: { 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await service.request('HEAD', '/assets/main-a1b2.js');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test.each([
    '/assets/none.js',
    '/assets/',
    '/assets/../secret.txt',
    '/assets/..%2fsecret.txt',
    '/assets/%2e%2e/secret.txt',
    '/assets/.hidden',
    '/assets/..%5csecret.txt',
    '/assets/%00',
  ])('A file of the pages is nothing else that lies beside it: %s', async (path) => {
    const answer = await service.request('GET', path);
    expect([400, 403, 404]).toContain(answer.status);
    expect(Object.keys(answer.json as object)).toEqual(['detail']);
    expect(answer.text).not.toContain('not a file');
  });
});

test('Where the pages are not built, one says how to', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'plumb-no-pages-'));
  const bare = await startService({ parts: () => ({ pagesFolder: empty }) });
  try {
    expect((await bare.request('GET', '/')).status).toBe(303);
    const answer = await (await signIn(bare, 'grace@example.com')).request('GET', '/');
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('npm run build');
    expect((await bare.request('GET', '/assets/x.js')).status).toBe(404);
    expect((await bare.request('GET', '/docs')).status).toBe(200);
  } finally {
    await bare.close();
    rmSync(empty, { recursive: true });
  }
});
