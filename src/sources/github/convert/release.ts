import { Payload } from '../../payload.ts';
import { personOf } from './account.ts';
import { taggedId } from './ids.ts';
import type { Repository } from './repository.ts';

/** Null for a draft: it has no tag yet, and nobody but its authors sees it. */
export function convertRelease(repository: Repository, payload: unknown) {
  const release = Payload.of(payload, 'release');
  if (release.isTrue('draft')) return null;
  const tag = release.text('tag_name');
  return {
    release_id: taggedId(repository, tag),
    version: tag,
    release_name: release.textOrNull('name') ?? tag,
    notes: release.textOrNull('body'),
    source: 'github',
    repository: repository.name,
    ...personOf(release.objectOrNull('author')),
    release_url: release.textOrNull('html_url'),
    created_at: release.time('created_at'),
    release_date: release.timeOrNull('published_at'),
    is_prerelease: release.isTrue('prerelease'),
  };
}
