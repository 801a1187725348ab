import {
  and,
  countDistinct,
  isTrue,
  mode,
  type Numeric,
  not,
  plus,
  type RowValue,
  ratio,
  sum,
  when,
} from '../../expression/expression.ts';
import { aggregated, count, type MetricDescription, metricsOf, rate, share, textual } from '../metric.ts';
import { aiCopilot } from '../tables/ai-copilot.ts';
import { pullRequests } from '../tables/pull-requests.ts';

export const aiCopilotMetrics = metricsOf(aiCopilot, {}, (day) => {
  const lines = (meaning: string): MetricDescription => ({ meaning, unit: 'lines' });
  const requests = (value: RowValue<Numeric>, what: string) => aggregated(value, { meaning: `Number of ${what}.` });
  const aiShare = rate(ratio(sum(day.ai_lines), sum(day.lines_added)), {
    denominator: 'lines',
    meaning: 'Added lines that an assistant wrote, divided by all added lines.',
  });

  return {
    'adopted-users': count(countDistinct(day.actor, and(isTrue(day.is_active), not(isTrue(day.is_bot)))), {
      meaning: 'Distinct people who used an AI assistant. A day on which a seat was not used counts 0.',
      better: 'higher',
    }),
    'adoption-rate': share(isTrue(day.is_active), 'onboarded', {
      meaning: 'People who used an AI assistant, divided by everyone in metrics.',
      better: 'higher',
    }),
    'ai-adoption-rate': share(isTrue(day.is_active), 'active', {
      meaning:
        'People who used an AI assistant, divided by those with any activity: a pull request, commit, review, comment, issue, AI use or coding session.',
      better: 'higher',
    }),
    'suggested-lines': aggregated(day.suggested_lines, lines('Lines that assistants suggested.')),
    'accepted-lines': aggregated(day.accepted_lines, lines('Suggested lines that were accepted.')),
    'ai-acceptance-rate': rate(ratio(sum(day.accepted_lines), sum(day.suggested_lines)), {
      denominator: 'lines',
      meaning: 'Accepted lines divided by suggested lines.',
      better: 'higher',
    }),
    'acceptance-rate': rate(ratio(sum(day.accepts), plus(sum(day.accepts), sum(day.rejects))), {
      denominator: 'things',
      meaning: 'Accepted suggestions divided by those accepted or rejected.',
      better: 'higher',
    }),
    'total-accepts': requests(day.accepts, 'accepted suggestions'),
    'total-rejects': requests(day.rejects, 'rejected suggestions'),
    'ai-total-loc': aggregated(day.ai_lines, lines('Added lines that an assistant wrote.')),
    'ai-percent-ai-generated-code': aiShare,
    'ai-code-ratio': aiShare,
    'total-lines-added': aggregated(day.lines_added, lines('Lines that people with an assistant added, by any means.')),
    'total-lines-deleted': aggregated(day.lines_deleted, lines('Lines that people with an assistant deleted.')),
    'chat-requests': requests(day.chat_requests, 'chat requests'),
    'composer-requests': requests(day.composer_requests, 'composer requests'),
    'agent-requests': requests(day.agent_requests, 'agent requests'),
    'cmd-k-usages': requests(day.cmd_k_usages, 'inline edits asked for'),
    'ai-total-token-usage': aggregated(day.tokens, { meaning: 'Tokens used.', unit: 'tokens' }),
    'ai-total-cost': aggregated(day.cost_usd, { meaning: 'Cost of assistants.', unit: 'usd', better: 'lower' }),
    'ai-favourite-model': textual(mode(day.model), {
      meaning: 'Model used on most days. Of several, the first by name.',
    }),
    'most-used-programming-language': textual(mode(day.language), {
      meaning: 'Programming language used on most days. Of several, the first by name.',
    }),
  };
});

/** AI metrics that are asked of pull requests, by when they were merged. */
export const aiPullRequestMetrics = metricsOf(
  pullRequests,
  {
    dates: ['pr_merged_at'],
    dateNames: { date: 'pr_merged_at' },
    filters: ['repositories', 'ai_copilot_sources'],
  },
  (pr) => ({
    'ai-pr-count': count(countDistinct(pr.pr_id, isTrue(pr.is_ai_assisted)), {
      meaning:
        'Merged pull requests in which AI wrote code, or whose author used AI between the first commit (else creation) and the merge.',
    }),
    'ai-complexity-score': aggregated(when(isTrue(pr.is_ai_assisted), pr.complexity_score), {
      meaning: 'Complexity of merged pull requests that were made with AI, 0 to 100.',
    }),
  }),
);
