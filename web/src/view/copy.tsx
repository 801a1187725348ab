import { useEffect, useState } from 'react';
import { copyWords } from './action-words.ts';

/** Copies where the browser allows it: on plain http from another machine it does not. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copies a picture, given as a data URL: fetching one would break the policy. */
export async function copyPicture(url: string): Promise<boolean> {
  try {
    const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (one) => one.charCodeAt(0));
    const type = 'image/png';
    await navigator.clipboard.write([new ClipboardItem({ [type]: new Blob([bytes], { type }) })]);
    return true;
  } catch {
    return false;
  }
}

/** What a button says for two seconds after it was pressed. */
export function useSaid(): readonly [string, (said: string) => void] {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), 2_000);
    return () => clearTimeout(timer);
  }, [said]);
  return [said, setSaid];
}

/** Copies a text and says that it did. */
export function CopyButton({
  text,
  label,
  className = 'link small',
}: {
  /** Called when the reader copies, for texts that change although the page is not drawn again. */
  readonly text: string | (() => string);
  readonly label: string;
  readonly className?: string;
}) {
  const [said, setSaid] = useSaid();
  return (
    <button
      type="button"
      className={className}
      onClick={async () =>
        setSaid(
          (await copyText(typeof text === 'string' ? text : text())) ? copyWords.copied : copyWords.selectTextAndCopy,
        )
      }
    >
      <span aria-live="polite">{said || label}</span>
    </button>
  );
}
