type ThemeChoice = 'system' | 'light' | 'dark';

const storedAs = 'plumb-theme';

const read = (): ThemeChoice => {
  try {
    const stored = localStorage.getItem(storedAs);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    // Storage can be switched off. Then the theme follows the system.
    return 'system';
  }
};

const listeners = new Set<() => void>();

export function applyTheme(choice: ThemeChoice = read()): void {
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  for (const listener of listeners) listener();
}

export const themeNow = (): 'light' | 'dark' => {
  const { theme } = document.documentElement.dataset;
  if (theme === 'light' || theme === 'dark') return theme;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
};

/** Shows the other theme from now on, and on the next visit. */
export function switchTheme(): void {
  const next = themeNow() === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(storedAs, next);
  } catch {
    // The choice holds for this page at least.
  }
  applyTheme(next);
}

/** Calls back whenever colours change, by our switch or by the system's. */
export function onThemeChange(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  listeners.add(listener);
  system.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', listener);
  };
}
