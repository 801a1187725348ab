import { isMoreThan, or, count as rowCount } from '../../expression/expression.ts';
import { count, metricsOf } from '../metric.ts';
import {
  posthookSessionCommits,
  posthookSessionFiles,
  posthookSessionMessages,
  posthookSessions,
} from '../tables/posthook-sessions.ts';

const dates = ['date'];

export const sessionMetrics = [
  ...metricsOf(posthookSessions, { dates }, (session) => ({
    'posthook-sessions-count': count(
      rowCount(or(isMoreThan(session.generated_lines, 0), isMoreThan(session.committed_lines, 0))),
      { meaning: 'AI coding sessions that generated or committed code. One with neither is there, and counts 0.' },
    ),
  })),
  ...metricsOf(posthookSessionMessages, { dates }, () => ({
    'posthook-session-message-counts': count(rowCount(), { meaning: 'Messages of AI coding sessions.' }),
  })),
  ...metricsOf(posthookSessionFiles, { dates }, () => ({
    'posthook-session-file-counts': count(rowCount(), { meaning: 'Files that AI coding sessions edited.' }),
  })),
  ...metricsOf(posthookSessionCommits, { dates }, () => ({
    'posthook-session-commit-counts': count(rowCount(), { meaning: 'Commits that AI coding sessions contributed to.' }),
  })),
];
