import { expect, test } from 'vitest';
import { remarksOn } from '../../../web/src/pages/welcome/import-words.ts';

test('An import says what it left out, which host it assumed and what matches nothing', () => {
  expect(remarksOn({ left_out: [] })).toEqual([]);
  expect(
    remarksOn({
      left_out: [
        { what: 'of pull_requests', count: 1 },
        { what: 'that only their authors see yet (drafts)', count: 1_200 },
      ],
      host_assumed: 'github',
      unmatched_references: { pr_ids: ['a', 'b', 'c', 'd'], commit_sha: ['e', 'f', 'g'] },
    }),
  ).toEqual([
    '1 record of pull requests was left out.',
    '1,200 records that only their authors see yet (drafts) were left out.',
    'The file doesn’t say which code host its records are from, so they’re taken as GitHub.',
    '7 references match nothing: a, b, c, d, e and 2 more. They’re kept, and count once what they name is imported.',
  ]);
});
