import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LogLines } from '../../src/cli/start-server.ts';

function collected() {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  return { written, lines: new LogLines(stream) };
}

test('The lines of one turn of the event loop are written together, in their order', async () => {
  const { written, lines } = collected();
  lines.write('one\n');
  lines.write('two\n');
  await nextTurn();
  lines.write('three\n');
  await nextTurn();
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
  lines.close();
});

test('What still waits is written at the end, and nobody listens to the process any longer', () => {
  const listeners = process.listenerCount('exit');
  const { written, lines } = collected();
  lines.write('the last\n');
  lines.close();
  expect(written).toEqual(['the last\n']);
  expect(process.listenerCount('exit')).toBe(listeners);
});
