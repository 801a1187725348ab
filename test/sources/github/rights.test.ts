import { expect, test } from 'vitest';
import { SourceProblem } from '../../../src/sources/source.ts';
import { readWhole } from '../read-whole.ts';
import { openGithub } from './replay/read-source.ts';
import { type ReplayOptions, startReplay } from './replay/server.ts';
import { someWorld } from './replay/some-world.ts';

/** What is asked, whichever thing it is about. */
const kindOf = (path: string): string => path.split('?', 1)[0]?.replace(/\/\d+(?=\/|$)/g, '/*') ?? '';

async function tried(isRefused: (path: string) => boolean, isSynced = false) {
  const instead: ReplayOptions['instead'] = ({ path }) =>
    isRefused(kindOf(path)) ? { status: 403, body: { message: 'Resource not accessible' } } : undefined;
  const server = await startReplay(someWorld(), { instead, hasGraphql: false });
  const { source, close } = openGithub(server.url, {});
  try {
    if (isSynced) for await (const stream of source.streams()) await readWhole(stream);
    const asked = [...new Set(server.seen.map(({ path }) => kindOf(path)))];
    const said = await source.check().then(
      ({ missing }) => missing,
      (error: unknown) => {
        if (error instanceof SourceProblem) return [`${error.message}. ${error.toDo}`];
        throw error;
      },
    );
    return { asked, said };
  } finally {
    close();
    await server.close();
  }
}

/** The permissions of GitHub, and what of a sync each lets a token read. */
const permissions: Readonly<Record<string, RegExp>> = {
  'Pull requests': /^\/repos\/acme\/web\/pulls/,
  Issues: /^\/repos\/acme\/web\/issues/,
  Contents: /^\/repos\/acme\/web\/(?:releases|commits)/,
  Deployments: /^\/repos\/acme\/web\/deployments/,
  Actions: /^\/repos\/acme\/web\/actions/,
  Members: /^\/orgs\//,
};
/** Any token reads these, or nothing. */
const always = ['/repos/acme/web', '/graphql', '/user'];

test('Whatever a sync of GitHub asks takes one of the permissions that the check tries, each of which it names', async () => {
  const { asked, said } = await tried(() => false, true);
  const others = asked.filter((path) => !Object.values(permissions).some((one) => one.test(path)));
  expect(others.filter((path) => !always.includes(path))).toEqual([]);
  for (const [permission, paths] of Object.entries(permissions)) {
    expect(asked.filter((path) => paths.test(path))).not.toEqual([]);
    const { said: refused } = await tried((path) => paths.test(path));
    const news = refused.filter((sentence) => !said.includes(sentence));
    expect(news).toEqual([expect.stringContaining(`${permission}, read`)]);
  }
  const { said: nothing } = await tried((path) => path === '/repos/acme/web');
  expect(nothing.filter((sentence) => !said.includes(sentence))).toEqual([expect.stringContaining('scope')]);
});
