import { useConnectionKinds, useConnections } from '../../ask/use-connections.ts';
import { ConnectionSettingsForm } from '../../view/connection-form.tsx';
import { counted } from '../../view/format.ts';
import { PageLink } from '../../view/page-link.tsx';
import { Answered } from '../../view/states.tsx';
import { scopesOf } from './questions.ts';

const setting = 'repositories';

/** The repositories to read: all that the token sees, unless the reader names some. */
export function RepositoriesStep() {
  const connections = useConnections();
  const kinds = useConnectionKinds();
  return (
    <Answered answer={connections} what="The list of connections">
      {({ sources }) => {
        const found = scopesOf(sources);
        const choosing = sources.flatMap((connection) => {
          const kind = kinds.data?.kinds.find((one) => one.kind === connection.kind);
          return kind?.settings.some(({ name }) => name === setting) ? [{ connection, kind }] : [];
        });
        if (sources.length === 0) {
          return (
            <p className="secondary">
              Repositories come with a connection or with imported records. Nothing is connected yet.
            </p>
          );
        }
        return (
          <div className="stack">
            <p>
              {found.length === 0
                ? 'Nothing is read yet: the first sync lists what the token sees.'
                : `${counted(found.length, 'repository is', 'repositories are')} read: ${found.slice(0, 20).join(', ')}${found.length > 20 ? ' and more' : ''}.`}{' '}
              <PageLink to="/settings/connections">Show progress</PageLink>
            </p>
            {choosing.map(({ connection, kind }) => (
              <div key={connection.id} className="stack">
                <h3>{connection.name}</h3>
                <ConnectionSettingsForm kind={kind} connection={connection} only={[setting]} />
              </div>
            ))}
          </div>
        );
      }}
    </Answered>
  );
}
