import type { ConnectionKind } from '../../../ask/sources.ts';
import { changeOwn } from '../../../ask/use-view.ts';
import { useSession } from '../../../page-session.ts';
import { CodeBlock } from '../../../view/code-block.tsx';
import { addConnectionWords } from './words.ts';

/** The kinds of connections, of which the reader picks one. */
export function AddConnection({ kinds }: { readonly kinds: readonly ConnectionKind[] }) {
  const { organisation, command } = useSession();
  return (
    <section className="card" aria-labelledby="connect" id="connect-something">
      <header>
        <div>
          <h2 id="connect">{addConnectionWords.addConnection}</h2>
          <p className="subtitle">{addConnectionWords.readOnlyEnoughNothing}</p>
        </div>
      </header>
      <ul className="connection-kinds">
        {kinds
          .toSorted((a, b) => Number(a.needs_command_line) - Number(b.needs_command_line))
          .map((one) => (
            <li key={one.kind}>
              <h3>{one.label}</h3>
              <p className="small secondary">{one.meaning}</p>
              {one.needs_command_line ? (
                <details>
                  <summary>{addConnectionWords.connectByCommand}</summary>
                  <CodeBlock
                    name={addConnectionWords.commandThatConnects(one.label)}
                    label={addConnectionWords.copy}
                    text={addConnectionWords.sourceAddOrgName(
                      command,
                      one.kind,
                      organisation.id,
                      one.settings
                        .filter(({ is_required }) => is_required)
                        .map(({ name }) => `--set ${name}=…`)
                        .join(' '),
                    )}
                  />
                </details>
              ) : (
                <button type="button" className="button" onClick={() => changeOwn({ add: one.kind })}>
                  {addConnectionWords.connect(one.label)}
                </button>
              )}
            </li>
          ))}
      </ul>
    </section>
  );
}
