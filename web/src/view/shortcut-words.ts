/** What single keys do, in the order in which they are listed. */
export const shortcutWords = {
  title: 'Shortcuts',
  keys: [
    ['⌘K', 'search pages, metrics, people and repositories'],
    ['/', 'filter by team'],
    ['[', 'previous range'],
    [']', 'next range'],
    ['c', 'next comparison'],
    ['t', 'light or dark'],
    ['← →', 'move along a chart'],
    ['Enter', 'open the records of a mark'],
    ['Esc', 'close'],
    ['?', 'this list'],
  ],
  useSingleKeys: 'Single keys work as shortcuts',
  close: 'Close',
} as const;
