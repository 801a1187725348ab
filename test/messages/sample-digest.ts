import type { MessageContent } from '../../src/messages/message-content.ts';

/** A digest with something in every place that a message has. */
export const sampleDigest: MessageContent = {
  title: 'Faster again, but failures stay high',
  organisation: 'Northwind Pay',
  period: 'Week of 9–15 November',
  intro: ['Cycle time fell to 1d 18h, the shortest week this year. 13 of 166 deployments failed, 5 of them in ledger.'],
  figures: [
    {
      label: 'Cycle time, median',
      value: '1d 18h',
      change: { text: '2h shorter than the week before', tone: 'good' },
      trend: [9, 8, 8.4, 9, 7, 7.1, 7.3, 6.8, 6.9, null, 6.2, 6],
      link: '/cycle-time?range=week',
    },
    { label: 'Deployments', value: '166', change: { text: '2 more than the week before', tone: 'neutral' } },
    { label: 'Change failure rate', value: '7.8%', change: { text: 'about the same', tone: 'neutral' } },
    { label: 'First review wait', value: '4h 50m', change: { text: '20m longer', tone: 'bad' } },
    { label: 'Pull requests merged', value: '312' },
  ],
  sections: [
    {
      title: 'Goals',
      lines: [
        {
          text: 'Cycle time 1d 16h by 31 Dec',
          detail: '2 hours to go',
          state: { text: 'On track', tone: 'good' },
          link: '/goal',
        },
        { text: 'Change failure rate 5% by 31 Dec', state: { text: 'Off track', tone: 'bad' } },
      ],
    },
    {
      title: 'Worth a look',
      lines: [
        { text: 'ledger: 5 failed deployments', detail: 'Marked on 26 Oct', link: '/delivery?repositories=ledger' },
        { text: '23 pull requests wait for a first review', detail: 'Longest 3d 6h, in ledger', link: '/reviews' },
      ],
    },
  ],
  button: { text: 'Open Q4 engineering review', link: '/board/q4-review' },
  notes: ['You get this on Mondays. Counts are for whole weeks in Europe/London. Data through Sun 15 Nov, 23:59.'],
  data: { cycle_time: 151_200 },
};
