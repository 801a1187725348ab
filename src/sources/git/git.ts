import { beforeSince, type NotSeen } from '../not-seen.ts';
import type { Check, OpenSource, RepositoryNaming, SourceKind } from '../source.ts';
import { Clone } from './clone.ts';
import type { CloneNaming } from './convert.ts';
import { type GitSettings, gitSettings, readGitSettings } from './settings.ts';
import { pullRequestStream, releaseStream } from './streams.ts';

/** A clone on this machine: pull requests by what merging them left on the branch, their commits, and tags. */
export const git: SourceKind = {
  kind: 'git',
  label: 'git',
  meaning:
    'A clone on the machine that Plumb runs on: merged pull requests, their commits and sizes, and tags as releases.',
  accounts: 'own',
  settings: gitSettings,
  isLocal: true,
  open({ settings: values, signal, repositories }): OpenSource {
    const settings = readGitSettings(values);
    return {
      check: () => check(settings, signal),
      async *streams() {
        const clone = await Clone.open(settings, signal);
        const naming = namingOf(settings, await repositories?.names());
        const notSeen = [...beforeSince(settings.since), ...((await clone.isShallow()) ? [shallow] : [])];
        const reading = { clone, settings, naming, notSeen };
        yield pullRequestStream(reading);
        yield releaseStream(reading);
      },
    };
  },
};

const shallow: NotSeen = {
  why: 'cut',
  what: 'The clone is shallow, so that older history is missing',
  toDo: 'Run git fetch --unshallow in it.',
};

/** The clone may be known by an old name of its repository, or by a newer one than that which ids are made of. */
const namingOf = ({ host, repository }: GitSettings, names: RepositoryNaming | undefined): CloneNaming => ({
  host,
  repository: names?.presentNameOf(host, repository) ?? repository,
  firstName: names?.firstNameOf(host, repository) ?? repository,
});

/** Commits of the branch that a check looks at for pull requests. */
const maxLookedAt = 1_000;
/** And those whose sizes it reads. */
const maxSizesRead = 100;

async function check(settings: GitSettings, signal: AbortSignal): Promise<Check> {
  const clone = await Clone.open(settings, signal);
  const branch = await clone.branch();
  const commits = await clone.countLine(branch.tip);
  const tags = await clone.tags();
  const missing: string[] = [];
  if (!(await clone.namesPullRequests(branch.tip, maxLookedAt))) {
    missing.push(
      `No commit of ${branch.name} names a pull request, as merges ("Merge pull request #7 from …") and squashed commits ("… (#7)") do: see that branch is the one that they are merged into.`,
    );
  }
  if (await clone.isShallow()) {
    missing.push(`${shallow.what}. ${shallow.toDo}`);
  }
  if (await clone.isPartial()) {
    missing.push('The clone has only some file contents, so that sizes cannot be read: clone it without --filter.');
  } else {
    const newest = await clone.line(branch.tip, { count: maxSizesRead });
    missing.push(...clone.lacking(newest.flatMap(({ sha, files }) => (files === undefined ? [sha] : []))));
  }
  return {
    sees: [
      `branch ${branch.name} of ${settings.repository}, ${count(commits, 'commit')} long`,
      count(tags.length, 'tag'),
    ],
    missing,
  };
}

const count = (number: number, what: string): string =>
  `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
