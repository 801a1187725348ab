import { describe, expect, test } from 'vitest';
import { type PostedTableName, postedShape } from '../../../src/catalogue/posted-tables.ts';
import { convertPostedRow } from '../../../src/sources/posthook/convert.ts';

const convert = (table: PostedTableName, row: unknown) => convertPostedRow(table, postedShape(table), row);

describe('a row of the coding-agent hook', () => {
  test('A row of the coding-agent hook goes to the columns of its table, whatever its identifiers are written as', () => {
    const row = { id: 7, session_id: 's-1', ts: '2026-01-31T14:05:00Z', prompt_text: 'Trim it', mood: 'good' };

    expect(convert('session_prompts', row)).toEqual({
      unknownFields: ['mood'],
      converted: {
        session: 's-1',
        record: { message_id: '7', session_id: 's-1', message_ts: '2026-01-31T14:05:00Z', message_text: 'Trim it' },
      },
    });
  });

  test.each([
    [{ id: 'r', session_id: 's', path: 'a.ts', lines: 'many' }, "lines must be a whole number, not 'many'"],
    [{ id: 'r', session_id: '', path: 'a.ts', lines: 2 }, 'session_id must not be empty'],
    [{ id: 'r', session_id: 's', lines: 2 }, 'path is missing: a range of lines cannot do without it'],
    ['a text', "a range of lines must be a JSON object, not 'a text'"],
  ])('%o is refused in the words of the hook', (row, problem) => {
    expect(convert('event_line_ranges', row)).toEqual({ unknownFields: [], problem });
  });
});
