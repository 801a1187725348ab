import { addComment, addCommit, addReview, at, somePull, user } from './some-pull.ts';
import { someIssue, someRepository, someRun, someWorld } from './some-world.ts';
import { emptyRepository, type ReplayedPull, type World } from './world.ts';

/** Of the repository that has several pages of everything. */
const pulls = 60;
const issues = 110;

/** `someWorld` with a second repository, whose lists are longer than a page. */
export function worldOfPages(): World {
  const { repositories, organizations } = someWorld();
  const api = {
    ...emptyRepository(someRepository('acme/api', 102)),
    pulls: Array.from({ length: pulls }, (_, i) => reviewed(i + 1)),
    issues: Array.from({ length: issues }, (_, i) =>
      someIssue(1_000 + i, {
        repository_url: 'https://api.github.example/repos/acme/api',
        updated_at: at(1, 0, 0, i),
      }),
    ),
    runs: [someRun(21, at(3)), someRun(22, at(4)), someRun(23, at(5), { status: 'queued', conclusion: null })],
  };
  return { repositories: [...repositories, api], organizations };
}

function reviewed(number: number): ReplayedPull {
  const merged = { state: 'closed', merged_at: at(8, 0, number), closed_at: at(8, 0, number) };
  const pull = somePull({
    repository: 'acme/api',
    number,
    fields: number % 3 === 0 ? {} : merged,
    updatedAt: at(8, 0, number),
  });
  addCommit(pull, `api-${number}`, { authored: at(7, 0, number) });
  addReview(pull, 'APPROVED', at(7, 12, number), { user: user('alan') });
  addComment(pull, at(7, 13, number), { issue_url: `https://api.github.example/repos/acme/api/issues/${number}` });
  return pull;
}

/** While the second page is read, the oldest pull request moves to the top, and one is opened. */
export function moveOn({ repositories }: World): void {
  const api = repositories.find(({ repository }) => repository.full_name === 'acme/api');
  const oldest = api?.pulls[0];
  if (!api || !oldest) throw new Error('there is nothing to move');
  Object.assign(oldest.pull, { title: 'Changed while it was read', updated_at: at(20) });
  oldest.reviews.splice(0);
  api.pulls.push(somePull({ repository: 'acme/api', number: pulls + 1, updatedAt: at(20, 1) }));
}
