import { useState } from 'react';
import { areShortcutsOn, setShortcuts } from './shortcut-setting.ts';
import { shortcutWords } from './shortcut-words.ts';

export default function ShortcutList({ onClose }: { readonly onClose: () => void }) {
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
            setShortcuts(event.target.checked);
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
