import { describe, expect, test } from 'vitest';
import { openSource } from '../../../src/sources/open-source.ts';
import { SourceProblem } from '../../../src/sources/source.ts';
import { readWhole } from '../read-whole.ts';
import type { ContractCase } from './contract-case.ts';
import { contractCases, nameOfCase } from './contract-cases.ts';
import { type AskedRequest, ReplayHost } from './replay-host.ts';

/** What is asked, whichever project, issue or pipeline it is about. */
const kindOf = ({ method, path }: AskedRequest): string =>
  `${method} ${path
    .split('/')
    .map((part) => (/%2F|\d/.test(part) && !/^v\d$/.test(part) ? '*' : part))
    .join('/')}`;

/** What the source says of its rights, and what it asks in a sync, while the provider refuses some requests. */
async function tried(one: ContractCase, isRefused: (asked: AskedRequest) => boolean, isSynced = false) {
  const world = one.makeWorld();
  const host = await ReplayHost.start({
    now: () => one.now,
    answer: (asked) => (isRefused(asked) ? { status: 403, body: {} } : one.answer(world, asked)),
  });
  const settings = { ...one.settings, ...one.secrets, base_url: host.url };
  const { source, close } = openSource(one.kind, settings, {
    mayBePrivate: () => true,
    signal: AbortSignal.timeout(60_000),
    random: () => 0,
  });
  try {
    if (isSynced) for await (const stream of source.streams()) await readWhole(stream);
    const asked = [...new Set(host.seen.map(kindOf))];
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
    await host.close();
  }
}

/** Refused to everybody who has the other one of the two interfaces: no right is missing. */
const ofOthers: Readonly<Record<string, string>> = {
  'claude-code of the Enterprise plan': 'GET /v1/organizations/usage_report/claude_code',
};
/** Tried by the list of its project, which takes the same role: most merge requests are on no train. */
const triedByAnother = 'GET /api/v4/projects/*/merge_trains/merge_requests/*';

describe.each(contractCases.map((one) => [nameOfCase(one), one] as const))('%s', (name, one) => {
  test('Whatever a sync asks and may not have, the check says so, with something to do', async () => {
    const { asked, said } = await tried(one, () => false, true);
    const rights = asked.filter((kind) => kind !== ofOthers[name] && kind !== triedByAnother);
    expect(rights.length).toBeGreaterThan(0);
    for (const right of rights) {
      const refused = await tried(one, (request) => kindOf(request) === right);
      const news = refused.said.filter((sentence) => !said.includes(sentence));
      expect(news, `${right} is refused`).not.toEqual([]);
      for (const sentence of news)
        expect(sentence).toMatch(/[.:,] .*\b(?:give|make|correct|ask|link|accepts?|which)\b/i);
    }
  });
});
