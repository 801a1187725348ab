import { FlaskConical, GitPullRequest, Upload } from 'lucide-react';
import { useState } from 'react';
import { postJson } from '../../ask/send.ts';
import type { ConnectionKind } from '../../ask/sources.ts';
import { changeOwn } from '../../ask/use-view.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import type { Setup } from './questions.ts';
import { startCardsWords } from './words.ts';

interface CardsProps {
  readonly kinds: readonly ConnectionKind[];
  readonly sample: Setup['sample'];
}

/** Three ways to begin: connect, look around, import. */
export function StartCards({ kinds, sample }: CardsProps) {
  const action = useAction();
  const [others, setOthers] = useState(false);
  const connectable = kinds.filter(({ needs_command_line }) => !needs_command_line);
  const [first, ...more] = connectable.toSorted((a, b) => Number(b.kind === 'github') - Number(a.kind === 'github'));
  return (
    <div className="welcome-start">
      {first && (
        <section className="card welcome-first" aria-labelledby="welcome-connect">
          <span className="welcome-tile">
            <GitPullRequest className="icon" aria-hidden="true" />
          </span>
          <div>
            <h2 id="welcome-connect">{startCardsWords.connect(first.label)}</h2>
            <p className="secondary">{startCardsWords.firstNumbersInAbout}</p>
            <button type="button" className="link small" aria-expanded={others} onClick={() => setOthers(!others)}>
              {startCardsWords.otherSources}
            </button>
            {others && (
              <div className="row after">
                {more.map(({ kind, label }) => (
                  <button key={kind} type="button" className="button" onClick={() => changeOwn({ add: kind })}>
                    {label}
                  </button>
                ))}
              </div>
            )}
          </div>
          <button type="button" className="button primary" onClick={() => changeOwn({ add: first.kind })}>
            {startCardsWords.connect2}
          </button>
        </section>
      )}
      <div className={sample ? 'columns even' : undefined}>
        {sample && (
          <section className="card" aria-labelledby="welcome-sample">
            <FlaskConical className="icon" aria-hidden="true" />
            <h2 id="welcome-sample">{startCardsWords.lookAroundFirst}</h2>
            <p className="secondary">{startCardsWords.madeUpCompany(sample.name)}</p>
            <button
              type="button"
              className="button"
              disabled={action.isBusy}
              onClick={() =>
                void action.run(async () => {
                  await postJson('/app/sample', {});
                  location.assign('/');
                  return 'Opening…';
                })
              }
            >
              {startCardsWords.openSampleData}
            </button>
            <ActionOutcome action={action} />
          </section>
        )}
        <section className="card" aria-labelledby="welcome-import">
          <Upload className="icon" aria-hidden="true" />
          <h2 id="welcome-import">{startCardsWords.importFile}</h2>
          <p className="secondary">{startCardsWords.haveExportFromAnother}</p>
          <button type="button" className="button" onClick={() => changeOwn({ do: 'import' })}>
            {startCardsWords.import}
          </button>
        </section>
      </div>
    </div>
  );
}
