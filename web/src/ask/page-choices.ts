/** The choices that a page keeps in its address besides range, comparison, filters and panel, by the page's first part. */
const choices: readonly (readonly [path: RegExp, names: readonly string[]])[] = [
  [/^\/(?:delivery|cycle-time|reviews|ai|ci|issues)?$/, ['show']],
  [/^\/$/, ['changes', 'now']],
  [/^\/ai$/, ['usage']],
  [/^\/issues$/, ['flow']],
  [/^\/reviews$/, ['hours']],
  [/^\/surveys$/, ['survey']],
  [/^\/benchmarks$/, ['metric', 'hide']],
  [/^\/explore$/, ['as', 'metric', 'agg', 'level', 'by', 'date', 'where', 'least', 'order', 'down', 'limit', 'board']],
  [/^\/people$/, ['part', 'q', 'state', 'in', 'page', 'group']],
  [/^\/people\/[^/]+$/, ['part']],
  [/^\/deployments\/[^/]+$/, ['on']],
  [/^\/settings\/connections$/, ['add']],
  [/^\/settings\/keys$/, ['show']],
  [/^\/welcome$/, ['step', 'do', 'add']],
];

/** The names of what this page understands in its address. */
export const choicesOfPath = (path: string): readonly string[] =>
  choices.flatMap(([pages, names]) => (pages.test(path) ? names : []));
