import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { getText } from '../../ask/send.ts';
import { answerOf } from '../../ask/use-answer.ts';
import { boardWords } from '../../view/board-words.ts';
import { CopyButton } from '../../view/copy.tsx';
import { Answered } from '../../view/states.tsx';
import '../../view/request.css';

interface YamlDialogProps {
  readonly slug: string;
  readonly onClose: () => void;
}

/** The board as people write it, to copy or to keep. */
export default function YamlDialog({ slug, onClose }: YamlDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const address = `/boards/${encodeURIComponent(slug)}?format=yaml`;
  const answer = answerOf(
    useQuery({ queryKey: [address], queryFn: ({ signal }) => getText(address, signal), staleTime: 0 }),
  );
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="confirm board-yaml" aria-label={boardWords.asYaml} onClose={onClose}>
      <div>
        <h2>{boardWords.asYaml}</h2>
        <p className="secondary">
          {boardWords.yamlHint} <code>{`${slug}.yaml`}</code>
        </p>
        <Answered answer={answer} height={200} what={boardWords.yaml}>
          {(text) => (
            <>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
              <pre className="code-block" tabIndex={0}>
                {text}
              </pre>
              <div className="row">
                <CopyButton text={text} label={boardWords.copyYaml} className="button" />
                <a className="button" href={address} download={`${slug}.yaml`}>
                  {boardWords.download}
                </a>
                <button type="button" className="button primary" onClick={() => dialog.current?.close()}>
                  {boardWords.close}
                </button>
              </div>
            </>
          )}
        </Answered>
      </div>
    </dialog>
  );
}
