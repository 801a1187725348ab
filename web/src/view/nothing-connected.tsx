import { isOwner, useSession } from '../page-session.ts';
import { PageLink } from './page-link.tsx';
import { OwnerLinks, State } from './states.tsx';

/** No source is connected, so there is nothing to show yet. */
export function NothingConnected({ shows }: { readonly shows: string }) {
  const session = useSession();
  return (
    <State
      kind="unconnected"
      title="Nothing connected yet"
      actions={
        isOwner(session) && (
          <>
            <PageLink className="button primary" to="/settings/connections">
              Connect GitHub
            </PageLink>
            <PageLink className="button" to="/welcome" own={{ do: 'import' }}>
              Import a file
            </PageLink>
          </>
        )
      }
    >
      <p>{shows}</p>
      {!isOwner(session) && (
        <p>
          An Owner can connect a source: <OwnerLinks />.
        </p>
      )}
      <p>
        To look around first, run <code>{session.command} demo</code> where Plumb runs: it adds an organisation with
        made-up data beside this one, and leaves this one as it is.
      </p>
    </State>
  );
}
