import { expect, test } from 'vitest';
import { bySpan, inSpan } from '../../../src/ingest/attribute/attribution-reader.ts';

test('A repository with two spans in one condition is refused: an engine would look only one of them up', () => {
  const holds = bySpan<'deployed_at'>;
  const spans = [
    { key: 'acme/web', from: 0, until: 10 },
    { key: 'acme/api', from: 0, until: 20 },
  ];
  expect(() => holds(spans, (span) => inSpan('deployed_at', span))).not.toThrow();
  const twice = [...spans, { key: 'acme/web', from: 30, until: 40 }];
  expect(() => holds(twice, (span) => inSpan('deployed_at', span))).toThrow('A repository has two spans');
});
