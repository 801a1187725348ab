import type { AiCopilotRow } from '../../catalogue/tables/ai-copilot.ts';

/**
 * The numbers that only grow when a person works with the assistant. Lines that the person added or deleted by any means
 * say nothing about it, and a cost may be the seat's share of the month.
 */
export const signsOfUse = [
  'suggested_lines',
  'accepted_lines',
  'ai_lines',
  'accepts',
  'rejects',
  'chat_requests',
  'composer_requests',
  'agent_requests',
  'cmd_k_usages',
  'tokens',
] as const satisfies readonly (keyof AiCopilotRow)[];

/** What the day of an assistant counted; a number that is missing was not reported. */
type DayNumbers = Partial<Pick<AiCopilotRow, (typeof signsOfUse)[number]>>;

/** Whether the person used the assistant that day. A day on which nothing was counted is a seat that lay idle. */
export function isActiveDay(numbers: DayNumbers): boolean {
  return signsOfUse.some((name) => (numbers[name] ?? 0) > 0);
}
