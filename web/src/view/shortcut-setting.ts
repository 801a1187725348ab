const storedAs = 'plumb-shortcuts';

/** Single keys can interfere with other tools, so they can be switched off. ⌘K stays. */
export const areShortcutsOn = (): boolean => {
  try {
    return localStorage.getItem(storedAs) !== 'off';
  } catch {
    return true;
  }
};

export function setShortcuts(isOn: boolean): void {
  try {
    localStorage.setItem(storedAs, isOn ? 'on' : 'off');
  } catch {
    // Without storage, shortcuts stay on.
  }
}
