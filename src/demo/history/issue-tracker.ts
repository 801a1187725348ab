import { isoText } from '../../calendar.ts';
import { chapterDays, firstDayOf } from './chapters.ts';
import { type CodeBase, takeNumber } from './code-bases.ts';
import type { Account, Contributor } from './contributors.ts';
import type { DemoWorld } from './demo-world.ts';
import type { PullRequest } from './pull-request-timeline.ts';
import type { HistoryRecord } from './record-batcher.ts';
import { drawWording, type IssueStatus, type Purpose, phrases, statusName } from './wording.ts';
import { hour, isoTextOrNull, minute } from './working-calendar.ts';

const unlinkedStatuses = { completed: 34, backlog: 27, unstarted: 9, started: 8, triage: 9, canceled: 13 };
/** Of the project whose issues nobody looks through. */
const neglectedStatuses = { completed: 6, backlog: 30, unstarted: 12, started: 2, triage: 48, canceled: 2 };
const types: Readonly<Record<Purpose, string>> = { feature: 'Story', fix: 'Bug', improvement: 'Task', unsaid: 'Task' };
const points = [1, 1, 2, 2, 3, 3, 3, 5, 5, 8, 13];
const priorities = ['Highest', 'High', 'High', 'Medium', 'Medium', 'Medium', 'Medium', 'Low', 'Low'];
const sprintDays = 14;
const firstSprint = firstDayOf(-4);

interface DrawnIssue extends Pick<HistoryRecord<'issues'>, 'issue_url' | 'project_id' | 'project_name'> {
  readonly issue_id: string;
  readonly issue_key: string;
}

type Issue = DrawnIssue & HistoryRecord<'issues'>;
type IssueTimes = Readonly<Record<'startedAt' | 'closedAt', number | null>> & { readonly createdAt: number };

/** The issues of an organisation: in a project per department, or beside the code. */
export class Tracker {
  readonly #kind: DemoWorld['profile']['tools']['tracker'];
  readonly #epics = new Map<string, string>();

  constructor(private readonly world: DemoWorld) {
    this.#kind = world.profile.tools.tracker;
  }

  open({ teams: [home = ''] }: Contributor, codeBase: CodeBase): DrawnIssue {
    const { random, profile } = this.world;
    const { repository } = codeBase;
    if (this.#kind !== 'github') {
      const own = profile.departments.find(({ teams }) => teams.some((team) => home.startsWith(team)));
      return this.#openIn((own ?? random.pick(profile.departments)).name);
    }
    const number = takeNumber(codeBase);
    const issue_url = `https://github.example/${repository}/issues/${number}`;
    const project = { project_id: repository, project_name: repository };
    return { issue_id: `github:${repository}#${number}`, issue_key: `#${number}`, issue_url, ...project };
  }

  #openIn(project_name: string): DrawnIssue {
    const project_id = project_name.slice(0, 3).toUpperCase();
    const issue_key = `${project_id}-${this.world.nextNumber(`issue of ${project_id}`, 400, 'a repository')}`;
    const issue_url = `https://${this.world.profile.slug}.${this.#kind}.example/browse/${issue_key}`;
    return { issue_id: `${this.#kind}:${issue_key}`, issue_key, issue_url, project_id, project_name };
  }

  /** The issue that a pull request answers: created before the first commit, completed after the merge. */
  writeAnswered(ticket: DrawnIssue, { timeline, author, change, day, at }: PullRequest): void {
    const { random, calendar } = this.world;
    const { mergedAt, closedAt } = timeline;
    const startedAt = calendar.earlier(timeline.commitTimes[0] ?? at, random.between(2, 150) * minute, author.phase);
    const createdAt = calendar.earlier(startedAt, random.skewed(18 * hour, 1), 0);
    const completedAt = mergedAt === null ? null : mergedAt + random.integer(1, 360) * minute;
    const canceledAt = mergedAt === null && random.chance(0.7) ? closedAt : null;
    const status = completedAt !== null ? 'completed' : canceledAt !== null ? 'canceled' : 'started';
    const issue_title = change.pr_body?.slice(0, change.pr_body.indexOf('.')) ?? change.pr_title;
    const issue = { ...ticket, issue_title, branch_name: change.head_branch, issue_type: types[change.purpose] };
    this.#write(day, issue, status, author, { createdAt, startedAt, closedAt: completedAt ?? canceledAt });
  }

  writeUnlinked(day: number, createdAt: number): void {
    const { random, calendar, workforce } = this.world;
    const author = workforce.pickAuthor(day);
    const codeBase = workforce.pickCodeBase(author, day);
    const purpose = random.pick(['feature', 'fix', 'fix', 'improvement'] as const);
    const ticket = this.open(author, codeBase);
    const isOldQueue = ticket.project_name === this.world.workforce.neglectedProject;
    const status = random.pickKey(isOldQueue ? neglectedStatuses : unlinkedStatuses);
    const startedAt = calendar.later(createdAt, random.skewed(20 * hour, 1), author.phase);
    const closedAt = calendar.later(startedAt, random.skewed(9 * hour, 1), author.phase);
    const isClosed = status === 'completed' || status === 'canceled';
    const isStarted = status === 'completed' || status === 'started';
    const issue_title = drawWording(purpose, codeBase.subject, undefined, random).sentence;
    const issue = { ...ticket, issue_title, issue_type: types[purpose] };
    const assignee = status === 'triage' ? undefined : author;
    const times = { createdAt, startedAt: isStarted ? startedAt : null, closedAt: isClosed ? closedAt : null };
    this.#write(day, issue, status, assignee, times);
  }

  writeEpics(day: number, quarter: string): void {
    const { random, calendar, workforce, profile } = this.world;
    for (const { name } of this.#kind === 'github' ? [] : profile.departments) {
      const issue = { ...this.#openIn(name), issue_title: `${name}, ${quarter}`, issue_type: 'Epic' };
      const createdAt = calendar.later(calendar.startOf(day), random.between(10, 300) * minute, 0);
      const closedAt = calendar.later(calendar.startOf(day + chapterDays), 5 * hour, 0);
      this.#write(day, issue, 'completed', workforce.pickAuthor(day), { createdAt, startedAt: createdAt, closedAt });
      this.#epics.set(name, issue.issue_id);
    }
  }

  #write(day: number, issue: Issue, status: IssueStatus, assignee: Contributor | undefined, times: IssueTimes): void {
    const { createdAt, startedAt, closedAt } = times;
    const world = this.world;
    const { random, workforce } = world;
    const kind = this.#kind;
    const isEpic = issue.issue_type === 'Epic';
    const isBug = issue.issue_type === 'Bug';
    const isPlanned = kind !== 'github' && !isEpic;
    const sprint = `${kind === 'linear' ? 'Cycle' : `${issue.project_id} Sprint`} ${Math.floor((day - firstSprint) / sprintDays)}`;
    world.give('issues', {
      ...issue,
      issue_body: random.chance(0.5) ? `${issue.issue_title}. Asked for by ${issue.project_name}.` : null,
      issue_type: kind === 'github' && !isBug ? null : (issue.issue_type ?? null),
      source: kind,
      ticket_status: status,
      status_name: statusName(kind, status),
      priority: kind === 'github' ? null : random.pick(priorities),
      story_points: isPlanned && random.chance(0.76) ? random.pick(points) : null,
      created_at: isoText(createdAt),
      started_at: isoTextOrNull(startedAt),
      completed_at: isoTextOrNull(status === 'completed' ? closedAt : null),
      closed_at: isoTextOrNull(closedAt),
      labels: isBug && random.chance(0.4) ? ['bug'] : [],
      creator_name: random.pick(workforce.contributors).name,
      sprint_name: isPlanned && startedAt !== null ? sprint : null,
      parent_issue_id: !isEpic && random.chance(0.5) ? (this.#epics.get(issue.project_name ?? '') ?? null) : null,
      ...this.#accountOf(assignee),
    });
    const until = Math.max(createdAt, closedAt ?? createdAt + 480 * hour);
    for (let left = random.integer(0, status === 'completed' ? 3 : 2); left > 0; left -= 1) {
      const by = assignee && random.chance(0.5) ? assignee : workforce.pickAuthor(day);
      const issue_comment_id = `${kind}:${issue.project_id}/comment/${world.nextNumber('issue comment', 100_000)}`;
      const said = {
        comment: random.pick(phrases.issueComment),
        created_at: isoText(random.integer(createdAt, until)),
      };
      world.give('issue_comments', { issue_comment_id, issue_id: issue.issue_id, ...said, ...this.#accountOf(by) });
    }
  }

  #accountOf(person: Contributor | undefined): Account {
    if (person && this.#kind === 'github') return person.accounts.github;
    const person_login = person?.logins[this.#kind]?.[0] ?? null;
    return { person_login, person_email: person_login === null ? (person?.emails[0] ?? null) : null };
  }
}
