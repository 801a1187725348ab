import { useState } from 'react';
import type { ConnectionKind } from '../../../ask/sources.ts';
import { useSession } from '../../../page-session.ts';
import { CodeBlock } from '../../../view/code-block.tsx';
import { type MadeConnection, NewConnectionForm } from '../../../view/connection-form.tsx';
import { WebhookShownOnce } from '../../../view/webhook-shown-once.tsx';

/** Picks a kind of connection and asks for its settings. */
export function AddConnection({ kinds }: { readonly kinds: readonly ConnectionKind[] }) {
  const [chosen, setChosen] = useState<string>();
  const [made, setMade] = useState<MadeConnection>();
  const { organisation, command } = useSession();
  const kind = kinds.find((one) => one.kind === chosen);
  return (
    <section className="card" aria-labelledby="connect" id="connect-something">
      <header>
        <div>
          <h2 id="connect">Add a connection</h2>
          <p className="subtitle">Read-only is enough. Stored encrypted, never shown again.</p>
        </div>
      </header>
      <div className="stack">
        {made && <WebhookShownOnce made={made} onClose={() => setMade(undefined)} />}
        {kind ? (
          <NewConnectionForm
            key={kind.kind}
            kind={kind}
            onCancel={() => setChosen(undefined)}
            onMade={(one) => {
              setMade(one);
              setChosen(undefined);
            }}
          />
        ) : (
          <ul className="stack">
            {kinds
              .toSorted((a, b) => Number(a.needs_command_line) - Number(b.needs_command_line))
              .map((one) => (
                <li key={one.kind} className="stack">
                  <div className="row">
                    {!one.needs_command_line && (
                      <button type="button" className="button" onClick={() => setChosen(one.kind)}>
                        Connect {one.label}
                      </button>
                    )}
                    <span className="secondary">
                      {one.needs_command_line && <strong>{one.label}, by command. </strong>}
                      {one.meaning}
                    </span>
                  </div>
                  {one.needs_command_line && (
                    <CodeBlock
                      name={`Command that connects ${one.label}`}
                      label="Copy"
                      text={`${command} source add ${one.kind} --org ${organisation.id} --name NAME ${one.settings
                        .filter(({ is_required }) => is_required)
                        .map(({ name }) => `--set ${name}=…`)
                        .join(' ')}`}
                    />
                  )}
                </li>
              ))}
          </ul>
        )}
      </div>
    </section>
  );
}
