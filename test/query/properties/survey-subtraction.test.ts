import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../../src/access/principal.ts';
import type { PersonRecord } from '../../../src/catalogue/directory-records.ts';
import { setOrganisation } from '../../../src/directory/organisations.ts';
import { divideRespondents } from '../../../src/ingest/surveys/survey-division.ts';
import { type Member, selectGroups } from '../../reference/survey-privacy.ts';
import { times } from '../../setup/how-long.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { principalOf } from '../asked-world.ts';
import { seed } from '../seeded-worlds.ts';

/** Who is in one of two sets and not in the other: what two answers tell when one is subtracted from the other. */
const difference = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): ReadonlySet<T> =>
  new Set([...[...a].filter((one) => !b.has(one)), ...[...b].filter((one) => !a.has(one))]);

const names = ['a', 'b', 'c', 'd', 'ä'];
const respondents = fc.uniqueArray(
  fc.record({ id: fc.nat({ max: 40 }).map(String), values: fc.subarray(names, { maxLength: 3 }) }),
  { selector: ({ id }) => id, maxLength: 24 },
);

describe('the rule', () => {
  const leasts = fc.integer({ min: 2, max: 7 });

  test('The rule divides everybody or nobody, into groups of enough, each by its first name or joined', () => {
    const property = fc.property(respondents, leasts, (all, least) => {
      const groups = divideRespondents(all, least);
      const ids = groups.flatMap((group) => group.respondents);
      expect(ids.toSorted()).toEqual(all.length < least ? [] : all.map(({ id }) => id).toSorted());
      for (const group of groups) {
        expect(group.respondents.length).toBeGreaterThanOrEqual(least);
        const firsts = all.filter(({ id }) => group.respondents.includes(id)).map(({ values }) => values.toSorted()[0]);
        expect(group.values).toEqual([...new Set(firsts.filter((name) => name !== undefined))].toSorted());
      }
      // Whoever is enough by themselves is joined with others only where those have nobody else.
      const large = names.filter((name) => all.filter(({ values }) => values.toSorted()[0] === name).length >= least);
      for (const name of large) expect(groups.filter(({ values }) => values.includes(name))).toHaveLength(1);
      expect(groups.length).toBeLessThanOrEqual(large.length + 1 + Number(all.some(({ values }) => !values[0])));
      expect(divideRespondents(all.toReversed(), least)).toEqual(groups);
    });
    fc.assert(property, { seed, numRuns: times(1_000, 50_000) });
  });

  test('The rule isolates nobody by any two questions, whoever asks, moves or leaves between them', () => {
    // What a question makes of each respondent, from the directory as it is then: nothing of it is known beforehand.
    const asked = fc.array(fc.record({ isSelected: fc.boolean(), isGone: fc.boolean() }), {
      minLength: 41,
      maxLength: 41,
    });
    const property = fc.property(respondents, leasts, asked, asked, (all, least, first, second) => {
      const groups = divideRespondents(all, least);
      const shown = (question: typeof first) => {
        const members = groups.flatMap((group, place) =>
          group.respondents.map(
            (id): Member => ({
              group: String(place),
              isSelected: false,
              isGone: false,
              ...question[Number(id)],
            }),
          ),
        );
        const { whole } = selectGroups(members);
        return new Set(groups.flatMap((group, place) => (whole.has(String(place)) ? group.respondents : [])));
      };
      const told = difference(shown(first), shown(second)).size;
      if (told > 0 && told < least) throw new Error(`${told} respondents are told apart`);
    });
    fc.assert(property, { seed, numRuns: times(2_000, 1_000_000) });
  });

  const of = (id: string, ...values: string[]) => ({ id, values });
  test('The rule joins groups that are too small, and what is still too small with the smallest', () => {
    const all = [of('1', 'a'), of('2', 'a'), of('3', 'a'), of('4', 'b'), of('5', 'b'), of('6', 'c'), of('7', 'c', 'b')];
    expect(divideRespondents(all, 3).map(({ values }) => values)).toEqual([['a', 'c'], ['b']]);
    expect(divideRespondents(all.slice(0, 5), 3)).toEqual([
      { values: ['a', 'b'], respondents: ['1', '2', '3', '4', '5'] },
    ]);
    expect(divideRespondents([...all.slice(0, 3), of('8'), of('9'), of('x')], 3).map(({ values }) => values)).toEqual([
      ['a'],
      [],
    ]);
    expect(divideRespondents(all.slice(0, 2), 3)).toEqual([]);
  });
});

describe('the service', () => {
  const least = 3;
  const people = Array.from({ length: 14 }, (_, i) => `p${i}`);
  const teams = ['Core', 'Edge', 'Data', 'Ops'];
  const places = ['Graz', 'Wien', 'Linz'];
  let service: Service;
  let teamIds: readonly string[];
  const principals: Principal[] = [];
  const emailOf = (name: string) => `${name}@subtract.example`;
  const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

  const lines = (records: readonly object[]) => records.map((value, i) => ({ line: i + 1, value }));
  const answersOf = (survey: string, name: string, value = name) =>
    // Everybody answers the first two questions, some the third.
    ['q1', 'q2', ...(Number(name.slice(1)) % 3 === 0 ? ['q3'] : [])].map((question) => ({
      survey_response_id: `${survey}-${name}-${question}`,
      survey_recipient_id: `${survey}-${name}`,
      survey_id: survey,
      survey_template_question_id: question,
      response_type: question === 'q2' ? 'text' : 'rating',
      answer_value: value,
      final_response_submitted_at: `2024-03-${String(10 + (Number(name.slice(1)) % 9))}T09:00:00Z`,
    }));
  const put = async (answers: readonly object[], recipients: readonly object[] = []) => {
    const { ingest } = service.app;
    const outcomes = await ingest.put(service.organisationId, [
      { table: 'survey_recipients', lines: lines(recipients) },
      { table: 'survey_responses', lines: lines(answers) },
    ]);
    expect(outcomes.flatMap(({ rejected }) => rejected)).toEqual([]);
  };

  beforeAll(async () => {
    service = await startService({ isQuick: true });
    await service.put(
      people.map(
        (name, i): PersonRecord => ({
          name,
          main_email: emailOf(name),
          teams: i % 5 === 0 ? [pick(teams, i), pick(teams, i + 1)] : [pick(teams, i * i)],
          location: pick(places, i),
        }),
      ),
    );
    const context = { organisationId: service.organisationId, actor: { via: 'command', user: 'test' } } as const;
    for (const by of ['team', 'location']) {
      await setOrganisation(service.app.directory, context, {
        survey_privacy: 'anonymous',
        survey_minimum_group: String(least),
        survey_report_by: by,
      });
      const recipients = people.map((name) => ({
        survey_recipient_id: `by ${by}-${name}`,
        survey_id: `by ${by}`,
        survey_status: 'closed',
        person_email: emailOf(name),
        created_at: '2024-03-01T08:00:00Z',
      }));
      await put(
        people.flatMap((name) => answersOf(`by ${by}`, name)),
        recipients,
      );
    }
    const listed = await service.request('GET', '/teams', { key: service.keys.owner });
    teamIds = (listed.json as { id: string; team_id?: string }[]).map(({ id, team_id }) => team_id ?? id);
    principals.push({ ...principalOf(service.organisationId, 'organisation', 'UTC'), minRespondents: least });
    for (let i = 0; i < 6; i += 1) {
      const some = teamIds.filter((_, place) => (i >> (place % 3)) % 2 === 0);
      const visibility = { self: `nobody ${i}`, teamIds: some, hasReports: false, leadsSquads: false };
      principals.push({ ...principalOf(service.organisationId, visibility, 'UTC'), minRespondents: least });
    }
  });
  afterAll(() => service.close());

  const someFilters = fc.record(
    {
      team: fc.subarray(teams, { minLength: 1 }),
      locations: fc.subarray(places, { minLength: 1 }),
      survey_ids: fc.constantFrom(['by team'], ['by location']),
      survey_template_question_ids: fc.subarray(['q1', 'q2', 'q3'], { minLength: 1 }),
      survey_response_types: fc.subarray(['rating', 'text'], { minLength: 1 }),
    },
    { requiredKeys: [] },
  );
  /** Something happens between two questions. */
  const events = (n: number): (() => Promise<unknown>)[] => {
    const name = pick(people, n * 5 + 3);
    const [first] = answersOf('by team', name, 'changed');
    const removed = answersOf('by location', pick(people, n * 3)).map((answer) => ({ ...answer, _deleted: true }));
    return [
      () => service.put([{ main_email: emailOf(name), teams: [pick(teams, n + 2)] }]),
      () => service.put([{ main_email: emailOf(name), location: pick(places, n) }]),
      () => service.put([{ main_email: emailOf(pick(people, n * 7)), onboarded: n % 2 === 1 }]),
      () => put([first as object]),
      () => put(removed),
    ];
  };

  interface Told {
    readonly questions: ReadonlySet<string>;
    /** Respondents by survey and question. */
    readonly shown: ReadonlyMap<string, ReadonlySet<string>>;
    readonly surveys: readonly string[];
  }

  async function ask(principal: Principal, narrowed: Record<string, readonly string[]>): Promise<Told> {
    const { answer } = await service.app.metrics.single(principal, 'survey-responses-count', {
      filters: { start_date: '2024-03-01', end_date: '2024-03-31', ...narrowed },
      group_by: ['survey_id', 'survey_template_question_id', 'answer_value'],
    });
    if (answer.form !== 'rows') throw new Error('rows were asked for');
    const shown = new Map<string, Set<string>>();
    for (const [survey, question, value] of answer.rows) {
      const key = `${survey} ${question}`;
      shown.set(key, (shown.get(key) ?? new Set()).add(String(value)));
    }
    const { survey_template_question_ids: ids = ['q1', 'q2', 'q3'], survey_response_types: types } = narrowed;
    const isOfType = (id: string) => !types || types.includes(id === 'q2' ? 'text' : 'rating');
    return {
      questions: new Set(ids.filter(isOfType)),
      shown,
      surveys: narrowed.survey_ids ?? ['by team', 'by location'],
    };
  }

  test('The service isolates nobody by any two of its answers, over time and by whoever asks', async () => {
    const asked = fc.sample(fc.tuple(fc.nat({ max: 6 }), someFilters), { seed, numRuns: times(36, 1_500) });
    const answers: Told[] = [];
    // Any two of them are subtracted from each other: of 36 answers that is more than 600 pairs.
    for (const [n, [who, filters]] of asked.entries()) {
      if (n % 5 === 4) await pick(events(n), Math.floor(n / 5))();

      answers.push(await ask(pick(principals, who), filters));
    }
    const none: ReadonlySet<string> = new Set();
    let differing = 0;
    for (const a of answers) {
      for (const b of answers) {
        for (const survey of a.surveys.filter((one) => b.surveys.includes(one))) {
          for (const question of ['q1', 'q2'].filter((one) => a.questions.has(one) && b.questions.has(one))) {
            const key = `${survey} ${question}`;
            const told = difference(a.shown.get(key) ?? none, b.shown.get(key) ?? none).size;
            if (told > 0) differing += 1;
            if (told > 0 && told < least) throw new Error(`${told} respondents of '${key}' are told apart`);
          }
        }
      }
      // Of a question that only some answered there are the answers of all who are shown by the others.
      for (const survey of a.surveys.filter(() => a.questions.has('q1') && a.questions.has('q3'))) {
        const whole = [...(a.shown.get(`${survey} q1`) ?? [])].filter((name) => Number(name.slice(1)) % 3 === 0);
        expect([...(a.shown.get(`${survey} q3`) ?? [])].toSorted()).toEqual(whole.toSorted());
      }
    }
    // Otherwise nothing was tried.
    expect(differing).toBeGreaterThan(60);
  });
});
