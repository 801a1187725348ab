import { useEffect, useRef } from 'react';
import { useView } from '../../../ask/use-view.ts';
import { useSession } from '../../../page-session.ts';
import { CodeBlock } from '../../../view/code-block.tsx';
import { CopyButton } from '../../../view/copy.tsx';
import { useGoneWithPage } from '../../../view/gone-with-page.ts';
import { shownDate } from '../../../view/shown-date.ts';
import { firstRequest, type ShownKey } from './questions.ts';
import { shownOnceWords } from './words.ts';

/** A new key, shown this once. No address, storage or cache holds it: closing this leaves no trace. */
export function ShownOnce({ shown, onClose }: { readonly shown: ShownKey; readonly onClose: () => void }) {
  const { today, zone } = useView();
  const { public_url } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useGoneWithPage(onClose);
  return (
    <section className="card" aria-labelledby="shown-once" data-shown-once="">
      <header>
        <div>
          <h2 id="shown-once" ref={heading} tabIndex={-1}>
            {shownOnceWords.yourNewKey(shown.name)}
          </h2>
          <p className="subtitle">{shownOnceWords.copyItNow(shown.expires_at, shownDate(shown.expires_at, zone))}</p>
        </div>
        <button type="button" className="button quiet" onClick={onClose}>
          {shownOnceWords.iHaveItHide}
        </button>
      </header>
      <div className="stack">
        <figure className="code-figure" aria-label={shownOnceWords.key}>
          <pre className="code-block">{shown.key}</pre>
        </figure>
        <div className="row">
          <CopyButton text={shown.key} label={shownOnceWords.copyKey} className="button primary" />
        </div>
        <h3>{shownOnceWords.firstRequest}</h3>
        <CodeBlock
          name={shownOnceWords.firstRequestWithKey}
          label={shownOnceWords.copyRequest}
          text={firstRequest(shown, public_url, today)}
        />
      </div>
    </section>
  );
}
