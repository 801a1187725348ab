import { expect, test } from 'vitest';
import { type FullPerson, peoplePath } from '../../../web/src/ask/people-answers.ts';
import { stateInWords } from '../../../web/src/pages/people/onboarding-words.ts';
import {
  identifiersIn,
  identifiersToSend,
  type PreviewLine,
  peopleChanged,
} from '../../../web/src/pages/people/questions.ts';
import { fieldsWithAccount } from '../../../web/src/pages/people/suggestions.ts';
import { peopleSentence } from '../../../web/src/pages/people/words.ts';
import { draftOfPerson, loginsIn, personChanges } from '../../../web/src/pages/person/draft.ts';
import { accessTaken } from '../../../web/src/pages/person/words.ts';
import { withMoreThanOwnWork } from '../../../web/src/pages/settings/people/roles.ts';
import { rolesSentence } from '../../../web/src/pages/settings/people/words.ts';

const ada: FullPerson = {
  id: 'a',
  name: 'Ada',
  teams: [{ id: 't', name: 'Web' }],
  onboarded: true,
  is_bot: false,
  email: 'ada@acme.example',
  emails: ['ada@acme.example'],
  logins: [{ source: 'github', login: 'ada' }],
  squads: [],
  access_role: 'Engineer',
  job_title: null,
};
const line = (more: Partial<PreviewLine>): PreviewLine => ({
  identifier: 'ada',
  list: 'github_usernames',
  state: 'matched',
  people: [{ id: 'a', name: 'Ada', onboarded: false }],
  ...more,
});

test('Identifiers are taken as people paste them, each once', () => {
  expect(identifiersIn(' ada@acme.example,bo;\n@cy  bo\n')).toEqual(['ada@acme.example', 'bo', 'cy']);
  expect(identifiersIn(' \n')).toEqual([]);
});

test('Only what changes something is sent, each in its list; people are counted once', () => {
  const preview = [
    line({}),
    line({ identifier: 'ada@acme.example', list: 'email_addresses' }),
    line({ identifier: 'bo', state: 'already', people: [{ id: 'b', name: 'Bo', onboarded: true }] }),
    line({ identifier: 'cy', state: 'unknown', people: [] }),
  ];
  expect(identifiersToSend(preview)).toEqual({ email_addresses: ['ada@acme.example'], github_usernames: ['ada'] });
  expect(peopleChanged(preview, 'onboard')).toBe(1);
  expect(peopleChanged(preview, 'offboard')).toBe(1);
  expect(stateInWords(line({}), 'onboard')).toBe('Ada: will be included');
  expect(stateInWords(line({ state: 'already' }), 'offboard')).toBe('Ada: not in metrics');
});

test('The sentence counts people, who counts, and groups', () => {
  expect(peopleSentence(undefined, 1, undefined)).toBe(' ');
  expect(peopleSentence(0, 0, undefined)).toBe('No people yet.');
  const groups = { teams: [{ id: 't', name: 'Web', department: null, members: [] }], squads: [] };
  expect(peopleSentence(3, 2, groups)).toBe('3 people, 2 of them in metrics, in 1 team and 0 squads.');
});

test('A search without anything is the plain path', () => {
  expect(peoplePath({ search: '', offset: 0 })).toBe('/app/people');
  expect(peoplePath({ search: 'a&b', limit: 50, offset: 50 })).toBe('/app/people?search=a%26b&limit=50&offset=50');
});

test('An account is added to what a person has, not put in its place', () => {
  const account = { source: 'github', login: 'ada2', email: 'a@home.example', name: 'Ada', rows: 3 };
  expect(fieldsWithAccount(ada, account)).toEqual({
    logins: { github: ['ada', 'ada2'] },
    emails: ['ada@acme.example', 'a@home.example'],
    // Anybody can put any address into a commit: it does not say who signs in.
    from_records: true,
  });
  expect(fieldsWithAccount(ada, { ...account, email: null })).toEqual({ logins: { github: ['ada', 'ada2'] } });
});

test('Only what was changed of a person is sent; empty clears', () => {
  const draft = draftOfPerson(ada);
  expect(personChanges(ada, draft)).toEqual({});
  expect(personChanges(ada, { ...draft, teams: ' Web \n', name: ' Ada ' })).toEqual({});
  expect(
    personChanges(ada, {
      ...draft,
      teams: 'Web\nPayments',
      location: 'Vienna',
      logins: 'github: ada\ngithub:al\njira: al',
      main_email: '',
    }),
  ).toEqual({
    teams: ['Web', 'Payments'],
    location: 'Vienna',
    logins: { github: ['ada', 'al'], jira: 'al' },
    main_email: null,
  });
  expect(loginsIn('ada')).toEqual([{ source: 'github', login: 'ada' }]);
});

test('Less access is confirmed, more is not', () => {
  const none = { permissions: [], managed: [] };
  expect(accessTaken({ role: 'Engineer', ...none }, { role: 'Owner', ...none })).toEqual([]);
  expect(accessTaken({ role: 'Owner', ...none }, { role: 'Manager', ...none })).toHaveLength(1);
  const manager = { role: 'Manager', permissions: ['can-view-salaries'], managed: ['Web'] };
  expect(accessTaken(manager, { ...manager, permissions: [], managed: ['Payments'] })).toEqual([
    'They lose can-view-salaries.',
    'They no longer manage Web.',
  ]);
});

test('Roles are listed by role and then as they come, and counted', () => {
  const people = [ada, { ...ada, id: 'm', access_role: 'Manager' }, { ...ada, id: 'o', access_role: 'Owner' }];
  expect(withMoreThanOwnWork(people).map(({ id }) => id)).toEqual(['o', 'm']);
  expect(rolesSentence(people)).toBe('1 Owner, 1 Manager. 1 other is an Engineer.');
});
