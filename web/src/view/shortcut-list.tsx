import { useState } from 'react';

const storedAs = 'plumb-shortcuts';

/** Single keys can interfere with other tools, so they can be switched off. ⌘K stays. */
export const areShortcutsOn = (): boolean => {
  try {
    return localStorage.getItem(storedAs) !== 'off';
  } catch {
    return true;
  }
};

const keys = [
  ['⌘K', 'search pages, metrics, people, repositories'],
  ['/', 'filter by team'],
  ['[', 'the window before'],
  [']', 'the window after'],
  ['c', 'next comparison'],
  ['t', 'light or dark'],
  ['← →', 'along a chart'],
  ['Enter', 'rows behind a mark'],
  ['Esc', 'close'],
  ['?', 'this list'],
] as const;

export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useState(areShortcutsOn);
  return (
    <div className="shortcuts">
      <h2>Shortcuts</h2>
      <dl>
        {keys.map(([key, meaning]) => (
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
        Single keys work as shortcuts
      </label>
      <button type="button" className="button" onClick={onClose}>
        Close
      </button>
    </div>
  );
}
