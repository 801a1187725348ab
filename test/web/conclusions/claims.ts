import type { MetricName } from './metric-facts.ts';

/** What the sentences of pages claim of changes, by their words. */
export interface Claim {
  readonly metric: MetricName;
  readonly direction: 'up' | 'down';
}

/** How sentences name the figures of each page, where they list what rose and what fell. */
const calledOn: Readonly<Record<string, Readonly<Record<string, MetricName>>>> = {
  '/': {
    deployments: 'deployment-frequency',
    'lead time': 'lead-time-for-changes-p50',
    'change failures': 'change-failure-rate',
    'cycle time': 'cycle-time',
    'the share of reviewed pull requests': 'review-rate',
    'the share of people who use AI': 'adoption-rate',
  },
  '/cycle-time': { 'Cycle time': 'cycle-time', 'Your cycle time': 'cycle-time' },
  '/ai': { 'the share of people who use AI': 'adoption-rate' },
  '/ci': {
    'the share of runs that succeed': 'workflow-run-success-rate',
    duration: 'workflow-run-duration',
    'the 95th percentile of duration': 'workflow-run-duration-p95',
  },
  '/issues': {
    'completed issues': 'completed-issues-count',
    'started issues': 'issues-count',
    'the time from creation to completion': 'issue-cycle-time',
  },
};

/** What is longer or more of it, where a sentence says how far a figure moved. */
const movedOn: Readonly<Record<string, { readonly long?: MetricName; readonly many?: MetricName }>> = {
  '/delivery': { long: 'lead-time-for-changes-p50', many: 'deployment-frequency' },
  '/cycle-time': { long: 'cycle-time' },
  '/reviews': { long: 'pickup-time' },
};

/** The metric that a name of a figure on a page stands for. */
export const metricCalled = (path: string, called: string): MetricName | undefined => calledOn[path]?.[called];

export function claimsIn(path: string, sentence: string): readonly (Claim | string)[] {
  const clauses = sentence.replace(/^In [^,]*, (?=.* (?:rose|fell)(?: per day,)? to )/, '').split(/; |\. /);
  const listed = clauses.flatMap((clause): (Claim | string)[] => {
    const [, called, verb] = /^(.+?) (rose|fell)\b/.exec(clause) ?? [];
    if (called === undefined) return [];
    const metric = metricCalled(path, called) ?? metricCalled(path, called.charAt(0).toLowerCase() + called.slice(1));
    return [metric ? { metric, direction: verb === 'rose' ? 'up' : 'down' } : clause];
  });
  const { long, many } = movedOn[path] ?? {};
  const moved = clauses.flatMap((clause): (Claim | string)[] => {
    const [, word] = /, [^,;]*\b(longer|shorter|more|fewer)(?: per day)?(?: than in|[,.]|$)/.exec(clause) ?? [];
    if (word === undefined) return [];
    const metric = word === 'longer' || word === 'shorter' ? long : many;
    return [metric ? { metric, direction: word === 'longer' || word === 'more' ? 'up' : 'down' } : clause];
  });
  return [...listed, ...moved];
}

/** What a sentence names as the cause of a change: a phase, or a repository or team. */
export function causesIn(sentence: string): { readonly phase: string | undefined; readonly place: string | undefined } {
  const [, phase, bracketed] = /, mostly in ([a-z ]+?)(?: \(([^)]+)\)|[.,])/.exec(sentence) ?? [];
  return { phase, place: bracketed ?? /, most of all in (.+?)\.$/.exec(sentence)?.[1] };
}
