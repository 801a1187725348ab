import { describe, expect, test } from 'vitest';
import { formatFor } from '../../../src/http/question/question-parameters.ts';

describe('the format of an answer', () => {
  test.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['application/x-ndjson', 'ndjson'],
    ['application/ndjson', 'ndjson'],
    ['text/csv', 'csv'],
    ['TEXT/CSV; Charset=UTF-8', 'csv'],
    ['application/vnd.apache.parquet', 'parquet'],
    ['text/*', 'csv'],
    ['application/*', 'json'],
  ])('The format of an answer for %j is %s', (accept, format) => {
    expect(formatFor(accept)).toBe(format);
  });

  test.each([
    ['application/json, text/plain, */*', 'json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
    ['text/csv, */*', 'csv'],
    ['*/*, text/csv', 'csv'],
    ['*/*, text/*, application/x-ndjson', 'ndjson'],
    ['text/csv;q=0.5, application/json;q=0.4', 'csv'],
    ['text/csv;q=0.5, application/json', 'json'],
    ['text/csv, application/json', 'csv'],
    ['application/json, text/csv', 'json'],
    ['*/*;q=0.1, application/vnd.apache.parquet;q=0.2', 'parquet'],
    ['text/csv ; q = 0.2 , application/x-ndjson ; q=0.3', 'ndjson'],
    ['application/json;q=0, application/*', 'ndjson'],
    ['text/*;q=0.9, application/*;q=0.8', 'csv'],
  ])('The format of an answer for %j is what is liked best: %s', (accept, format) => {
    expect(formatFor(accept)).toBe(format);
  });

  test.each([
    'text/html',
    'application/xml, image/*',
    'text/csv;q=0',
    'application/json;q=0',
    'text/csv;q=much',
    ',,;;',
    '"',
    'text',
  ])('The format of an answer is JSON when %j accepts nothing that there is', (accept) => {
    expect(formatFor(accept)).toBe('json');
  });

  test('The format of an answer does not take what stands in quotes for another type', () => {
    expect(formatFor('text/html;title="a, text/csv;q=1"')).toBe('json');
    expect(formatFor('text/html;title="a\\", text/csv", application/x-ndjson')).toBe('ndjson');
  });

  test('The format of an answer is found at once, however odd the header', () => {
    const started = performance.now();
    formatFor('"\\'.repeat(8_000));
    formatFor('text/csv;q=1,'.repeat(1_200));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
