import { expect, test } from 'vitest';
import { curlOf, type DataQualityAnswer } from '../../../web/src/pages/settings/data-quality/questions.ts';
import { qualityLines, qualitySentence } from '../../../web/src/pages/settings/data-quality/words.ts';

const fine: DataQualityAnswer = {
  unknown_identities: { accounts: 0, rows: 0, most_named: [] },
  disputed_accounts: [],
  not_onboarded: { people: 0, rows: 0, most_active: [] },
  people_who_left: { people: 0, latest: [] },
  disputed_links: [],
  pull_requests_without_deployment: { pull_requests: 0, by_status: [] },
  incidents_without_repository: { incidents: 0, most_named: [] },
  repositories_without_recent_data: { repositories: 0, longest_quiet: [] },
  sources: [],
  freshness: {
    newest_record_at: null,
    data_through: null,
    tables: [{ table: 'pull_requests', rows: 100, newest_record_at: null, data_through: null }],
    stale: [],
  },
};

test('Every line says what it means and what to do, those with something to do first', () => {
  const lines = qualityLines({ ...fine, repositories_without_recent_data: { repositories: 2, longest_quiet: [] } });
  expect(lines).toHaveLength(11);
  expect(lines[0]).toMatchObject({ topic: 'quiet', count: 2 });
  for (const { means, toDo, where } of lines) {
    expect(means).not.toBe('');
    expect(toDo).not.toBe('');
    expect(where?.path).toMatch(/^\//);
  }
});

test('A failing stream and a failing source are counted each', () => {
  const error = { at: null, message: 'no', to_do: null };
  const stream = { stream: 'pull requests', scope: 'acme/web', last_success_at: null, last_error: error };
  const source = {
    id: 's',
    name: 'Code',
    outcome: 'partial',
    no_longer_listed: [],
    not_seen: [],
    last_error: error,
    streams: [stream, { ...stream, last_error: null }],
  };
  expect(qualityLines({ ...fine, sources: [source] })[0]).toMatchObject({ topic: 'sources', count: 2 });
});

test('A repository that a connection no longer finds is named, with what to do', () => {
  const source = { id: 's', name: 'Code', outcome: 'complete', last_error: null, not_seen: [], streams: [] };
  const sources = [{ ...source, no_longer_listed: ['acme/attic', 'acme/barn'] }];
  expect(qualityLines({ ...fine, sources })[0]).toMatchObject({
    topic: 'gone',
    count: 2,
    where: { path: '/settings/connections' },
  });
});

test('What connections could not see is counted by statement', () => {
  const said = { what: 'Long lists are cut', since: null, to_do: null, stream: 'issues', scopes: ['acme/web'] };
  const source = { id: 's', name: 'Code', outcome: 'complete', no_longer_listed: [], last_error: null, streams: [] };
  const sources = [{ ...source, not_seen: [said, { ...said, stream: 'runs' }] }];
  expect(qualityLines({ ...fine, sources })[0]).toMatchObject({ topic: 'not-seen', count: 2 });
});

test('The sentence says what stands in the way, or that nothing does', () => {
  expect(
    qualitySentence({ ...fine, freshness: { newest_record_at: null, data_through: null, tables: [], stale: [] } }),
  ).toContain('No data yet');
  expect(qualitySentence(fine)).toBe('Nothing to fix.');
  const unknown = { accounts: 1, rows: 12, most_named: [] };
  expect(qualitySentence({ ...fine, unknown_identities: unknown })).toBe(
    '1 thing to look at, unmatched accounts first. 12 of 100 rows count for no one.',
  );
});

test('The request stands on the page, with a key of the reader’s own', () => {
  expect(curlOf('http://x/')).toBe('curl -s \'http://x/data-quality\' -H "Authorization: $KEY"');
});
