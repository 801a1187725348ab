import { useState } from 'react';
import { useJson } from '../../../ask/use-answer.ts';
import { useOwnChoice } from '../../../ask/use-view.ts';
import { isOwner, useSession } from '../../../page-session.ts';
import '../../../view/request.css';
import { Answered } from '../../../view/states.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { KeyTable } from './key-table.tsx';
import { NewKeyForm } from './new-key-form.tsx';
import { isWorking, type Keys, keysPath, type ShownKey } from './questions.ts';
import { ShownOnce } from './shown-once.tsx';
import { keysSentence, keysWords } from './words.ts';

/** Keys with which programs ask. Only this page holds a new key. */
export default function KeysPage() {
  const session = useSession();
  const answer = useJson<Keys>(keysPath);
  const [shown, setShown] = useState<ShownKey>();
  const [show, setShow] = useOwnChoice('show', 'working', ['working', 'ended']);
  return (
    <SettingsPage
      title={keysWords.apiKeys}
      sentence={answer.data ? keysSentence(answer.data, isOwner(session), new Date()) : ' '}
    >
      {() => (
        <>
          {shown && <ShownOnce key={shown.id} shown={shown} onClose={() => setShown(undefined)} />}
          <Answered answer={answer} what={keysWords.listKeys}>
            {({ keys, sees, owners }) => {
              const [working, ended] = [keys.filter(isWorking), keys.filter((key) => !isWorking(key))];
              return (
                <div className="stack">
                  <section className="card" aria-labelledby="new-key">
                    <header>
                      <div>
                        <h2 id="new-key">{keysWords.makeKey}</h2>
                        <p className="subtitle">{sees}</p>
                      </div>
                    </header>
                    <NewKeyForm onMade={setShown} />
                  </section>
                  <section className="card" aria-labelledby="keys">
                    <header>
                      <div>
                        <h2 id="keys">{isOwner(session) ? keysWords.keysOrganisation : keysWords.yourKeys}</h2>
                        {!isOwner(session) && (
                          <p className="subtitle">
                            {keysWords.keysOthersAndKeys}
                            {owners.length > 0 && (
                              <>
                                {keysWords.ask}{' '}
                                {owners.map(({ name, email }, at) => (
                                  <span key={name + email}>
                                    {at > 0 && ', '}
                                    {email ? <a href={`mailto:${email}`}>{name}</a> : name}
                                  </span>
                                ))}
                              </>
                            )}
                            .
                          </p>
                        )}
                      </div>
                      <fieldset className="switch" aria-label={keysWords.whichKeys}>
                        <button type="button" aria-pressed={show === 'working'} onClick={() => setShow('working')}>
                          {keysWords.working(working.length)}
                        </button>
                        <button type="button" aria-pressed={show === 'ended'} onClick={() => setShow('ended')}>
                          {keysWords.ended(ended.length)}
                        </button>
                      </fieldset>
                    </header>
                    <KeyTable
                      keys={show === 'working' ? working : ended}
                      empty={show === 'working' ? keysWords.thereNoneMake : keysWords.noneHasEnded(working.length)}
                      onRotated={setShown}
                    />
                  </section>
                </div>
              );
            }}
          </Answered>
        </>
      )}
    </SettingsPage>
  );
}
