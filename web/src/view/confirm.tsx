import { type ReactNode, useId, useRef } from 'react';
import './action.css';
import { confirmWords } from './action-words.ts';

interface ConfirmProps {
  /** The label of the button that opens the question. */
  readonly label: string;
  /** For screen readers where the label alone says too little: `Revoke CI`. */
  readonly name?: string;
  readonly className?: string;
  readonly isDisabled?: boolean;
  /** The question, with the name of what is meant. */
  readonly title: string;
  /** The label of the button that confirms, a verb. */
  readonly verb: string;
  /** What will be lost, and whether it can be restored. */
  readonly children: ReactNode;
  readonly onConfirm: () => void;
}

/** A button for a change that takes something away: it asks first, and says what will be lost. */
export function ConfirmButton({ label, name, className = 'button danger', isDisabled, ...asked }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button
        type="button"
        className={className}
        disabled={isDisabled}
        onClick={() => dialog.current?.showModal()}
        {...(name ? { 'aria-label': name } : {})}
      >
        {label}
      </button>
      <ConfirmDialog dialog={dialog} {...asked} />
    </>
  );
}

interface DialogProps extends Pick<ConfirmProps, 'title' | 'verb' | 'children' | 'onConfirm'> {
  readonly dialog: React.RefObject<HTMLDialogElement | null>;
}

/** The browser's own dialog: it keeps the focus inside, closes with Esc and gives the focus back. */
export function ConfirmDialog({ dialog, title, verb, children, onConfirm }: DialogProps) {
  const heading = useId();
  return (
    <dialog ref={dialog} className="confirm" aria-labelledby={heading}>
      <div>
        <h2 id={heading}>{title}</h2>
        <div className="secondary">{children}</div>
        <div className="row">
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            {confirmWords.cancel}
          </button>
          <button
            type="button"
            className="button danger"
            onClick={() => {
              dialog.current?.close();
              onConfirm();
            }}
          >
            {verb}
          </button>
        </div>
      </div>
    </dialog>
  );
}
