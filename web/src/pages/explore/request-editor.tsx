import { useEffect, useState } from 'react';
import type { Question } from '../../ask/question.ts';
import { requestTexts } from '../../ask/request-texts.ts';
import { changeView, type View } from '../../ask/use-view.ts';
import { useSession } from '../../page-session.ts';
import { CopyButton } from '../../view/copy.tsx';
import { State } from '../../view/states.tsx';
import { ownOf } from './exploration.ts';
import { readRequest } from './request-parts.ts';

interface RequestEditorProps {
  readonly view: View;
  readonly question: Question;
  /** The number of rows that are hidden to protect people: their request is hidden, too. */
  readonly hidden: number;
}

/** The request as curl. Editing it changes the form and the answer. */
export function RequestEditor({ view, question, hidden }: RequestEditorProps) {
  const text = requestTexts(question, useSession().public_url).curl;
  const [draft, setDraft] = useState(text);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    setDraft(text);
    setProblem('');
  }, [text]);
  if (hidden > 0)
    return (
      <State kind="hidden" title="The request is not shown">
        It would give the rows that are hidden here to protect anonymity.
      </State>
    );
  const apply = () => {
    const read = readRequest(draft, view.today);
    if (read.problem !== undefined) return setProblem(read.problem);
    const own = { ...view.state.own, ...ownOf(read.exploration) };
    const kept = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''));
    setProblem(changeView({ ...read.view, own: kept }) ? '' : 'This is too much for the address of a page.');
  };
  return (
    <section className="card" aria-label="The request">
      <header>
        <div>
          <h2>The request</h2>
          <p className="subtitle">change it and apply it, or paste one · $KEY is your own key</p>
        </div>
        <CopyButton text={draft} label="Copy" />
      </header>
      <textarea
        className="input explore-request"
        aria-label="Request as curl"
        spellCheck={false}
        rows={Math.min(24, draft.split('\n').length + 1)}
        value={draft}
        data-request="curl"
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) apply();
        }}
      />
      <div className="row">
        <button type="button" className="button primary" disabled={draft === text} onClick={apply}>
          Apply
        </button>
        {draft !== text && (
          <button type="button" className="button" onClick={() => setDraft(text)}>
            Undo changes
          </button>
        )}
        <span role="status" className="small bad">
          {problem}
        </span>
      </div>
    </section>
  );
}
