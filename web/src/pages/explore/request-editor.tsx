import { useEffect, useState } from 'react';
import { ownOf } from '../../ask/exploration.ts';
import type { Question } from '../../ask/question.ts';
import { requestTexts } from '../../ask/request-texts.ts';
import { changeView, type View } from '../../ask/use-view.ts';
import { useSession } from '../../page-session.ts';
import { requestEditorWords } from './request-editor-words.ts';
import { readRequest } from './request-parts.ts';

interface RequestEditorProps {
  readonly view: View;
  readonly question: Question;
}

/** The request as curl. Editing it changes the sentence and the answer. */
export default function RequestEditor({ view, question }: RequestEditorProps) {
  const text = requestTexts(question, useSession().public_url).curl;
  const [draft, setDraft] = useState(text);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    setDraft(text);
    setProblem('');
  }, [text]);
  const apply = () => {
    const read = readRequest(draft, view.today);
    if (read.problem !== undefined) return setProblem(read.problem);
    const own = { ...view.state.own, ...ownOf(read.exploration) };
    const kept = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''));
    setProblem(changeView({ ...read.view, own: kept }) ? '' : requestEditorWords.thisTooMuch);
  };
  return (
    <section className="explore-editor" aria-label={requestEditorWords.editRequest}>
      <h3>{requestEditorWords.editRequest}</h3>
      <p className="subtitle">{requestEditorWords.changeItAndApply}</p>
      <textarea
        className="input explore-request"
        aria-label={requestEditorWords.requestAsCurl}
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
          {requestEditorWords.apply}
        </button>
        {draft !== text && (
          <button type="button" className="button" onClick={() => setDraft(text)}>
            {requestEditorWords.undoChanges}
          </button>
        )}
        <span role="status" className="small bad">
          {problem}
        </span>
      </div>
    </section>
  );
}
