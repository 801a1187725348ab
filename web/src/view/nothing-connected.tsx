import { isOwner, useSession } from '../page-session.ts';
import { nothingConnectedWords } from './nothing-words.ts';
import { PageLink } from './page-link.tsx';
import { OwnerLinks, State } from './states.tsx';

/** No source is connected, so there is nothing to show yet. */
export function NothingConnected({ shows }: { readonly shows: string }) {
  const session = useSession();
  return (
    <State
      kind="unconnected"
      title={nothingConnectedWords.nothingConnectedYet}
      actions={
        isOwner(session) && (
          <>
            <PageLink className="button primary" to="/settings/connections">
              {nothingConnectedWords.connectGithub}
            </PageLink>
            <PageLink className="button" to="/welcome" own={{ do: 'import' }}>
              {nothingConnectedWords.importFile}
            </PageLink>
          </>
        )
      }
    >
      <p>{shows}</p>
      {!isOwner(session) && (
        <p>
          {nothingConnectedWords.ownerCanConnectSource} <OwnerLinks />.
        </p>
      )}
      <p>
        {nothingConnectedWords.toLookAroundFirst} <code>{session.command} demo</code>{' '}
        {nothingConnectedWords.wherePlumbRuns}
      </p>
    </State>
  );
}
