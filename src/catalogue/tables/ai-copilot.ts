import { amount, boolean, date, number, text } from '../record.ts';
import { completed, derived, hidden, type RowOf, table } from '../table.ts';
import { personColumns, personNaming } from './person-columns.ts';

export const aiCopilot = table({
  name: 'ai_copilot',
  one: 'a day with an AI assistant',
  meaning: 'What a person did with an AI assistant on one day.',
  key: ['named_as', 'source', 'date'],
  publicKey: ['merged_user_id', 'source', 'date'],
  person: 'user',
  naming: personNaming,
  namedAs: 'named_as',
  activity: { at: ['date'], when: 'is_active' },
  dates: { date: 'date' },
  columns: {
    named_as: hidden(derived(text('The person as the record names them: part of the key.'))),
    source: text('Assistant, such as github-copilot, cursor or claude-code.'),
    date: date('Day.'),
    ...personColumns,
    is_active: completed(
      boolean('Whether the person used it that day, worked out from the numbers when no source says it.'),
    ),
    suggested_lines: amount('Lines it suggested.'),
    accepted_lines: amount('Suggested lines that were accepted.'),
    lines_added: amount('Lines that the person added, by any means.'),
    lines_deleted: amount('Lines that the person deleted.'),
    ai_lines: amount('Added lines that the assistant wrote.'),
    accepts: amount('Suggestions accepted.'),
    rejects: amount('Suggestions rejected.'),
    chat_requests: amount('Chat requests.'),
    composer_requests: amount('Composer requests.'),
    agent_requests: amount('Agent requests.'),
    cmd_k_usages: amount('Inline edits asked for.'),
    tokens: amount('Tokens used.'),
    cost_usd: number('Cost, in US dollars.'),
    model: text('Model used most that day.'),
    language: text('Programming language used most that day.'),
  },
});
export type AiCopilotRow = RowOf<typeof aiCopilot>;
