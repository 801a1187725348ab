import { useState } from 'react';
import { shortcutWords } from './shell-words.ts';

const storedAs = 'plumb-shortcuts';

/** Single keys can interfere with other tools, so they can be switched off. ⌘K stays. */
export const areShortcutsOn = (): boolean => {
  try {
    return localStorage.getItem(storedAs) !== 'off';
  } catch {
    return true;
  }
};

export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(areShortcutsOn);
  return (
    <div className="shortcuts">
      <h2>{shortcutWords.title}</h2>
      <dl>
        {shortcutWords.keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label className="row">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            setOn(event.target.checked);
            try {
              localStorage.setItem(storedAs, event.target.checked ? 'on' : 'off');
            } catch {
              // Without storage, shortcuts stay on.
            }
          }}
        />
        {shortcutWords.useSingleKeys}
      </label>
      <button type="button" className="button" onClick={onClose}>
        {shortcutWords.close}
      </button>
    </div>
  );
}
