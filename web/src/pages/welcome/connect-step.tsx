import { useState } from 'react';
import { useConnectionKinds } from '../../ask/use-connections.ts';
import { useSession } from '../../page-session.ts';
import { CodeBlock } from '../../view/code-block.tsx';
import { ConnectFlow } from '../../view/connect-flow.tsx';
import type { MadeConnection } from '../../view/connection-form.tsx';
import { PageLink } from '../../view/page-link.tsx';
import { Answered } from '../../view/states.tsx';
import { WebhookShownOnce } from '../../view/webhook-shown-once.tsx';

/** Where data come from: a connection, files, or the demo. */
export function ConnectStep() {
  const kinds = useConnectionKinds();
  const { organisation, public_url, command } = useSession();
  const [chosen, setChosen] = useState<string>();
  const [made, setMade] = useState<MadeConnection>();
  return (
    <>
      {organisation.is_demo && (
        <>
          <p>
            This organisation is part of the <strong>demo</strong>: its data is made up, every page says so, and you can
            keep it to look around. Your own data belong into an organisation of your own. The operator of the server
            makes it, and the link that is printed lets you in:
          </p>
          <CodeBlock
            name="Command that makes an organisation of your own"
            label="Copy"
            text={`${command} org create --name Acme --owner-email you@acme.example`}
          />
          <p className="secondary">The operator removes the demo again, with all of its organisations:</p>
          <CodeBlock name="Command that removes the demo" label="Copy" text={`${command} demo --remove`} />
        </>
      )}
      <h3>Connect</h3>
      {made ? (
        <>
          <WebhookShownOnce made={made} onClose={() => setMade(undefined)} />
          <p className="secondary">
            Pages work while history is imported. <PageLink to="/settings/connections">Watch the progress</PageLink>
          </p>
        </>
      ) : (
        <Answered answer={kinds} what="What can be connected" height={120}>
          {({ kinds: all }) => {
            const kind = all.find((one) => one.kind === chosen);
            if (kind) {
              return <ConnectFlow key={kind.kind} kind={kind} onMade={setMade} />;
            }
            return (
              <ul className="stack">
                {all
                  .filter((one) => !one.needs_command_line)
                  .map((one) => (
                    <li key={one.kind} className="row">
                      <button type="button" className="button" onClick={() => setChosen(one.kind)}>
                        Connect {one.label}
                      </button>
                      <span className="secondary">{one.meaning}</span>
                    </li>
                  ))}
              </ul>
            );
          }}
        </Answered>
      )}
      <h3>Import a file</h3>
      <p className="secondary">
        Records as NDJSON, JSON, CSV or Parquet: on the server by command, from elsewhere with an API key of yours (
        <PageLink to="/settings/keys">make one</PageLink>).
      </p>
      <CodeBlock
        name="Command that imports a file"
        label="Copy"
        text={`${command} import --org ${organisation.id} --table pull_requests pull-requests.ndjson`}
      />
      <CodeBlock
        name="Request that sends a file"
        label="Copy"
        text={[
          `curl -s '${public_url}/ingest/pull_requests' \\`,
          `  -H "Authorization: $KEY" -H 'Content-Type: application/x-ndjson' --data-binary @pull-requests.ndjson`,
        ].join('\n')}
      />
    </>
  );
}
