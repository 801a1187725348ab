import { boolean, integer, json, longText, text, timestamp } from '../record.ts';
import { idOfRelease } from '../record-ids.ts';
import { derived, hidden, type RowOf, table, whenRead } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';
import { carriedListForm } from './pull-requests.ts';

export const releaseDetails = table({
  name: 'release_details',
  one: 'a release',
  meaning: 'Releases, with the pull requests that each brought.',
  key: ['release_id'],
  composedKey: {
    field: 'release_id',
    from: 'source, repository and version',
    example: 'github:acme/web@v1.2.0',
    make: idOfRelease,
  },
  person: 'author',
  naming: personNaming,
  repository: ['repository'],
  countsForRepository: true,
  // A pull request can be in a release and in a prerelease before it.
  carriesPullRequests: { by: ['release_id', 'prerelease_id'], list: 'pull_requests', count: 'prs_included' },
  dates: { release_date: 'release_date', published_at: 'release_date', created_at: 'created_at' },
  aliases: { published_at: 'release_date' },
  columns: {
    release_id: text('Identifier of the release.'),
    version: text('Version or tag.'),
    release_name: text('Name.'),
    notes: longText('Release notes, in full.'),
    source: text('Code host.'),
    repository: text('Repository, owner/name.'),
    repository_name: derived(text('Repository without its owner.')),
    repository_key: hidden(derived(text('Repository as it is matched, without regard to case.'))),
    ...personColumns,
    release_url: text('Address of its page.'),
    created_at: timestamp('When it was created.'),
    release_date: timestamp('When it was published, also known as published_at. Null for one that is not published.'),
    is_prerelease: boolean('Whether it is a prerelease.'),
    contents_after: hidden(derived(timestamp('It holds what reached the production branch after this time …'))),
    contents_until: hidden(derived(timestamp('… and up to this one.'))),
    prs_included: derived(integer('Number of pull requests it brought.')),
    pull_requests: whenRead(json(`The pull requests it brought: ${carriedListForm}.`)),
  },
});
export type ReleaseRow = RowOf<typeof releaseDetails>;
