import { expect, test } from 'vitest';
import { directoryPage, directoryStream } from '../../../src/sources/code-host/directory-stream.ts';
import { type HostPerson, SourceProblem } from '../../../src/sources/source.ts';

const hidden = 'Addresses are not shown';
const page = (...people: HostPerson[]) => directoryPage({ owner: 'acme', people, teams: [] }, 7, hidden);
const ada = { login: 'ada', verifiedEmail: 'ada@acme.example' };

test('Members of a code host say that addresses are hidden where one of a person is', () => {
  expect(page(ada, { login: 'grace' }).notSeen).toEqual([{ why: 'hidden', what: hidden }]);
  expect(page(ada)).not.toHaveProperty('notSeen');
  expect(page(ada, { login: 'robot', isBot: true })).not.toHaveProperty('notSeen');
});

test('Members who may not be seen are a failure where the settings name their owner, else a right that is missing', async () => {
  const refused = new SourceProblem('Not for this token', 'Give it more.', { isRefused: true });
  const stream = (isNamed: boolean, problem: Error) =>
    directoryStream('Acme', { isNamed, toDo: 'Give it more.', read: () => Promise.reject(problem) });
  await expect(stream(true, refused).read({})).rejects.toBe(refused);
  const { notSeen, directory } = await stream(false, refused).read({});
  expect(directory).toBeUndefined();
  expect(notSeen).toEqual([
    { why: 'right', what: 'Members and teams of Acme are not shown to the token', toDo: 'Give it more.' },
  ]);
  // What may pass is tried again, and what nobody could foresee is told.
  for (const problem of [new SourceProblem('Away', 'Wait.', { mayPass: true }), new Error('a bug')]) {
    await expect(stream(false, problem).read({})).rejects.toBe(problem);
  }
});
