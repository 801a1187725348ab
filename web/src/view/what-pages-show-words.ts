/** What each page will show once there are data, by its path. Pages that are absent here work without data. */
export const whatPagesShow: Readonly<Record<string, string>> = {
  '/': 'Six key figures of delivery, review and AI, how they changed, and where they changed most.',
  '/delivery':
    'How often you deploy, how long changes take to production, how often they fail, and how fast that is put right.',
  '/cycle-time':
    'How long pull requests take from the first commit to production, phase by phase, and which were slowest.',
  '/reviews': 'How long reviews wait, how many rounds they take, and how the load is spread.',
  '/ai': 'Who has AI and uses it, what is accepted, what it costs, and delivery with and without it.',
  '/ci': 'How often runs succeed, how long they take, what they cost, and which workflows are flaky.',
  '/issues': 'What was started and completed, how long it took, and how old open work is.',
  '/surveys': 'How many took part in surveys, and what they answered, in groups large enough to stay anonymous.',
  '/benchmarks': 'Where you stand among other organisations, metric by metric.',
  '/explore': 'Any metric, by any filter and grouping, as a chart or a table.',
};
