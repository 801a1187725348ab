import { describe, expect, test } from 'vitest';
import { dayOfNumber } from '../../src/calendar.ts';
import { groupedBy, medianOf, type SomeHistory, secondsOf, shareOf, someHistories } from './some-history.ts';

const histories = someHistories();

/** Every login and address of the people of a directory, each with whose it is. */
function peopleBy({ organisation }: SomeHistory): ReadonlyMap<string, (typeof organisation.people)[number]> {
  return new Map(
    organisation.people.flatMap((person) => [
      ...Object.entries((person.logins ?? {}) as Record<string, string | string[]>).flatMap(([source, logins]) =>
        [logins].flat().map((login) => [`${source}:${login}`, person] as const),
      ),
      ...(person.emails ?? []).map((email) => [email, person] as const),
    ]),
  );
}

const authorOf = (pr: SomeHistory['records']['pull_requests'][number]) =>
  pr.person_login == null ? (pr.person_email ?? '') : `${pr.source}:${pr.person_login}`;

function pickupSeconds(history: SomeHistory, isOf: (author: string, at: number) => boolean): number {
  const reviews = groupedBy(history.records.pull_request_reviews, ({ pr_id }) => pr_id);
  const seconds = history.records.pull_requests.flatMap((pr) => {
    const [first] = (reviews.get(pr.pr_id ?? '') ?? []).filter(({ person_login }) => !person_login?.endsWith('[bot]'));
    if (!first || !isOf(authorOf(pr), secondsOf(pr.pr_created_at))) return [];
    return [secondsOf(first.reviewed_at) - secondsOf(pr.ready_at ?? pr.pr_created_at)];
  });
  return medianOf(seconds);
}

describe('the stories in a history', () => {
  test('One team waits much longer for its reviews since it was reorganised', () => {
    // In small organisations a team has few pull requests: what holds for most of them is looked at.
    const ratios = histories.map((history) => {
      const people = peopleBy(history);
      const { workforce, calendar } = history.world;
      const [former, latest] = workforce.reorganisations;
      const isMoved = (author: string) => people.get(author)?.teams?.[0] === latest?.team;
      const since = calendar.startOf(latest?.day ?? 0);
      const slow = pickupSeconds(history, (author, at) => isMoved(author) && at >= since);
      const others = pickupSeconds(history, (author, at) => people.has(author) && !isMoved(author) && at >= since);
      const before = pickupSeconds(history, (author, at) => isMoved(author) && at < since);
      return { others: slow / others, before: former?.team === latest?.team ? [] : [slow / before] };
    });
    expect(medianOf(ratios.map(({ others }) => others))).toBeGreaterThan(1.8);
    expect(medianOf(ratios.flatMap(({ before }) => before))).toBeGreaterThan(1.5);
  });

  test('The people of one team move to the repositories of another on a Monday', () => {
    for (const history of histories) {
      const { calendar, workforce } = history.world;
      const reorganisation = workforce.reorganisations.at(-1);
      if (!reorganisation) throw new Error('nobody was reorganised');
      expect(new Date(dayOfNumber(reorganisation.day)).getUTCDay()).toBe(1);
      const people = peopleBy(history);
      const codeOf = (team: string) =>
        new Set(workforce.codeBases.filter((codeBase) => codeBase.team === team).map(({ repository }) => repository));
      const [former, later] = [codeOf(reorganisation.team), codeOf(reorganisation.into)];
      const moved = history.records.pull_requests.filter((pr) => {
        const teams = people.get(authorOf(pr))?.teams;
        return teams?.length === 1 && teams[0] === reorganisation.team;
      });
      const before = moved.filter((pr) => secondsOf(pr.pr_created_at) < calendar.startOf(reorganisation.day));
      const after = moved.filter((pr) => secondsOf(pr.pr_created_at) >= calendar.startOf(reorganisation.day));
      expect(before.length + after.length, history.organisation.slug).toBeGreaterThan(10);
      const inFormer = (list: typeof moved) => shareOf(list, ({ repository }) => former.has(repository ?? ''));
      const inLater = (list: typeof moved) => shareOf(list, ({ repository }) => later.has(repository ?? ''));
      expect(inFormer(before)).toBeGreaterThan(inLater(before));
      expect(inLater(after)).toBeGreaterThan(inFormer(after));
    }
  });

  test('Assistants come some eighteen months before the end and reach most people', () => {
    const days = histories.flatMap(({ records }) => records.ai_copilot);
    const monthly = groupedBy(days, ({ date }) => date?.slice(0, 7));
    expect([...monthly.keys()].toSorted()[0]).toBe('2024-07');
    const users = (month: string) => new Set(monthly.get(month)?.map(({ person_email }) => person_email)).size;
    const counts = ['2024-09', '2024-12', '2025-04', '2025-08', '2025-11'].map(users);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    const coders = histories.flatMap(({ world }) =>
      world.workforce.contributors.filter(({ weight, isOnboarded }) => weight > 0 && isOnboarded),
    );
    expect(users('2025-11') / coders.length).toBeGreaterThan(0.5);
    expect(days.some(({ is_active }) => is_active === false)).toBe(true);
    expect(new Set(days.map(({ source }) => source))).toEqual(new Set(['github-copilot', 'cursor', 'claude-code']));
  });

  test('Sessions of coding agents come some nine months before the end, and their commits are of pull requests', () => {
    const sessions = histories.flatMap(({ records }) => records.posthook_sessions ?? []);
    const started = sessions.map(({ started_at }) => started_at ?? '').toSorted();
    expect(started[0]?.slice(0, 7)).toMatch(/^2025-0[34]$/);
    expect(shareOf(started, (at) => at >= '2025-09')).toBeGreaterThan(0.5);
    const committed = histories.flatMap(({ records }) => records.posthook_session_commits ?? []);
    const shas = new Map(
      histories.flatMap(({ records }) => records.pull_request_commits).map((commit) => [commit.sha, commit]),
    );
    expect(committed.length).toBeGreaterThan(300);
    for (const { commit_id, committed_lines } of committed) {
      const commit = shas.get(commit_id ?? '');
      expect(commit).toBeDefined();
      expect(committed_lines).toBeLessThanOrEqual(commit?.additions ?? 0);
    }
    for (const { started_at, ended_at, generated_lines, committed_lines } of sessions) {
      expect(secondsOf(ended_at)).toBeGreaterThanOrEqual(secondsOf(started_at));
      expect(generated_lines).toBeGreaterThanOrEqual(committed_lines ?? 0);
    }
    expect(sessions.some(({ committed_lines }) => committed_lines === 0)).toBe(true);
  });

  test('The messages of a session follow each other closely, in the order of their numbers', () => {
    const messages = histories.flatMap(({ records }) => records.posthook_session_messages ?? []);
    const gaps = [...groupedBy(messages, ({ session_id }) => session_id).values()].flatMap((said) =>
      said.slice(1).map((message, index) => secondsOf(message.message_ts) - secondsOf(said[index]?.message_ts)),
    );
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
    expect(shareOf(gaps, (gap) => gap <= 300)).toBeGreaterThan(0.7);
    expect(shareOf(gaps, (gap) => gap > 300)).toBeGreaterThan(0.05);
  });

  test('The stories in a history pull requests that agents helped with are larger and sooner opened', () => {
    const helped = new Set<string | null | undefined>();
    for (const { records } of histories) {
      const sessionShas = new Set((records.posthook_session_commits ?? []).map(({ commit_id }) => commit_id));
      for (const { sha, pr_id } of records.pull_request_commits) if (sessionShas.has(sha)) helped.add(pr_id);
    }
    const ordinary = histories
      .flatMap(({ records }) => records.pull_requests)
      .filter(({ labels, head_branch }) => !labels?.includes('dependencies') && /\//.test(head_branch ?? ''));
    const firstCommit = new Map<string | null | undefined, number>();
    for (const { records } of histories) {
      for (const { pr_id, authored_at } of records.pull_request_commits) {
        firstCommit.set(pr_id, Math.min(firstCommit.get(pr_id) ?? Number.POSITIVE_INFINITY, secondsOf(authored_at)));
      }
    }
    const sizes = (isHelped: boolean) =>
      medianOf(ordinary.filter(({ pr_id }) => helped.has(pr_id) === isHelped).map(({ additions }) => additions ?? 0));
    const coding = (isHelped: boolean) =>
      medianOf(
        ordinary
          .filter(({ pr_id }) => helped.has(pr_id) === isHelped)
          .map(({ pr_id, pr_created_at }) => secondsOf(pr_created_at) - (firstCommit.get(pr_id) ?? 0)),
      );
    expect(sizes(true)).toBeGreaterThan(sizes(false));
    expect(coding(true)).toBeLessThan(coding(false));
  });

  test('Somebody writes code whom no directory knows', () => {
    for (const history of histories) {
      const people = peopleBy(history);
      const unknown = history.records.pull_requests.filter((pr) => !people.has(authorOf(pr)));
      expect(unknown.length, history.organisation.slug).toBeGreaterThan(0);
      expect(unknown.length / history.records.pull_requests.length).toBeLessThan(0.12);
    }
  });

  test('Nobody is heard of before they joined', () => {
    for (const history of histories) {
      const people = peopleBy(history);
      const early = history.records.pull_requests.filter((pr) => {
        const joined = people.get(authorOf(pr))?.created_date;
        // A week is as fine as the roster goes.
        return joined != null && secondsOf(pr.pr_created_at) < secondsOf(`${joined}T00:00:00Z`) - 86_400;
      });
      expect(early).toEqual([]);
    }
  });

  test('Some people contribute on two code hosts', () => {
    const withTwo = histories.filter(({ world }) => world.profile.codeHosts.length > 1);
    expect(withTwo).toHaveLength(2);
    for (const history of withTwo) {
      const people = peopleBy(history);
      const sources = new Map<string, Set<string>>();
      for (const pr of history.records.pull_requests) {
        const name = people.get(authorOf(pr))?.name;
        if (name == null || pr.source == null) continue;
        sources.set(name, (sources.get(name) ?? new Set()).add(pr.source));
      }
      expect([...sources.values()].filter(({ size }) => size === 2).length).toBeGreaterThan(3);
    }
  });

  test('One organisation has merge queues', () => {
    const queues = histories.filter(({ records }) =>
      records.pull_requests.some(({ merge_queue_entered_at }) => merge_queue_entered_at != null),
    );
    expect(queues.map(({ organisation }) => organisation.slug)).toEqual(['northwind-pay']);
  });
});

describe('issues', () => {
  const issues = histories.flatMap(({ records }) => records.issues);

  test('Issues have sprints, estimates and every state, in three trackers', () => {
    expect(new Set(issues.map(({ source }) => source))).toEqual(new Set(['jira', 'linear', 'github']));
    expect(new Set(issues.map(({ ticket_status }) => ticket_status))).toEqual(
      new Set(['triage', 'backlog', 'unstarted', 'started', 'completed', 'canceled']),
    );
    expect(shareOf(issues, ({ story_points }) => story_points != null)).toBeGreaterThan(0.5);
    expect(shareOf(issues, ({ sprint_name }) => sprint_name != null)).toBeGreaterThan(0.4);
  });

  test('Issues are completed exactly when they say so, after they were started, and are part of a known epic', () => {
    const known = new Set(issues.map(({ issue_id }) => issue_id));
    for (const issue of issues) {
      expect(issue.completed_at != null).toBe(issue.ticket_status === 'completed');
      if (issue.completed_at != null) {
        expect(secondsOf(issue.completed_at)).toBeGreaterThanOrEqual(secondsOf(issue.started_at));
      }
      if (issue.started_at != null) {
        expect(secondsOf(issue.started_at)).toBeGreaterThanOrEqual(secondsOf(issue.created_at));
      }
      if (issue.parent_issue_id != null) expect(known.has(issue.parent_issue_id)).toBe(true);
    }
  });
});

describe('surveys', () => {
  test('Surveys are held once a quarter, and more than half of the people answer', () => {
    for (const { records, organisation } of histories) {
      const surveys = groupedBy(records.survey_recipients, ({ survey_id }) => survey_id);
      expect(surveys.size, organisation.slug).toBe(8);
      const answered = shareOf(
        records.survey_recipients,
        ({ final_response_submitted_at }) => final_response_submitted_at != null,
      );
      expect(answered).toBeGreaterThan(0.45);
      expect(answered).toBeLessThan(0.8);
      expect(new Set(records.survey_responses.map(({ response_type }) => response_type)).size).toBe(5);
      const recipients = new Set(records.survey_recipients.map(({ survey_recipient_id }) => survey_recipient_id));
      expect(records.survey_responses.every(({ survey_recipient_id }) => recipients.has(survey_recipient_id))).toBe(
        true,
      );
    }
  });
});
