import type { SeededRandom } from '../seeded-random.ts';
import { isoText, isoTextOrNull } from './clock-text.ts';
import type { Contributor } from './contributors.ts';
import { drawSkewed, hour, minute } from './delays.ts';
import type { PullRequest } from './pull-request.ts';
import type { Project, Ticket, Tracker } from './tracker.ts';
import { drawTicketRemark, drawWording, type Purpose } from './wording.ts';
import type { World } from './world.ts';

type TicketStatus = 'triage' | 'backlog' | 'unstarted' | 'started' | 'completed' | 'canceled';

interface IssueLife {
  readonly status: TicketStatus;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly closedAt: number | null;
}

const statusNames = {
  jira: {
    triage: 'New',
    backlog: 'Backlog',
    unstarted: 'To Do',
    started: 'In Progress',
    completed: 'Done',
    canceled: 'Won’t Do',
  },
  linear: {
    triage: 'Triage',
    backlog: 'Backlog',
    unstarted: 'Todo',
    started: 'In Progress',
    completed: 'Done',
    canceled: 'Canceled',
  },
  github: {
    triage: 'open',
    backlog: 'open',
    unstarted: 'open',
    started: 'open',
    completed: 'closed',
    canceled: 'closed',
  },
} as const satisfies Record<string, Record<TicketStatus, string>>;

const types: Readonly<Record<Purpose, string>> = { feature: 'Story', fix: 'Bug', improvement: 'Task', unsaid: 'Task' };
const points = [1, 1, 2, 2, 3, 3, 3, 5, 5, 8, 13] as const;
const priorities = ['Highest', 'High', 'High', 'Medium', 'Medium', 'Medium', 'Medium', 'Low', 'Low'] as const;

/** What issues that no pull request belongs to have come to, out of a hundred. */
const unlinkedStatuses: readonly (readonly [TicketStatus, number])[] = [
  ['completed', 34],
  ['backlog', 27],
  ['unstarted', 9],
  ['started', 8],
  ['triage', 9],
  ['canceled', 13],
];

/** Writes issues: those that pull requests answer, those that wait, and the epics above them. */
export class IssueWriter {
  readonly #world: World;
  readonly #tracker: Tracker;
  readonly #random: SeededRandom;
  #serial: number;

  constructor(world: World, tracker: Tracker, random: SeededRandom) {
    this.#world = world;
    this.#tracker = tracker;
    this.#random = random;
    this.#serial = random.integer(100_000, 400_000);
  }

  /** The issue that a pull request answers: made before the first commit, done after the merge. */
  writeAnswered(ticket: Ticket, pr: PullRequest): void {
    const random = this.#random;
    const { calendar } = this.#world;
    const { life, author, change, day } = pr;
    const firstCommit = life.commitTimes[0] ?? life.createdAt;
    const startedAt = calendar.earlier(firstCommit, random.between(2, 150) * minute, author.phase);
    const createdAt = calendar.earlier(startedAt, drawSkewed(random, 18 * hour, 1), 0);
    const done = life.mergedAt === null ? null : life.mergedAt + random.integer(1, 6 * 60) * minute;
    const completedAt = done !== null && done < calendar.endAt ? done : null;
    const isGivenUp = life.mergedAt === null && life.closedAt !== null && random.chance(0.7);
    const status = completedAt !== null ? 'completed' : isGivenUp ? 'canceled' : 'started';
    const closedAt = completedAt ?? (isGivenUp ? life.closedAt : null);
    const sentence = change.body === null ? change.title : change.body.slice(0, change.body.indexOf('.'));
    this.#put(ticket, day, change.purpose, sentence, author, change.branch, {
      status,
      createdAt,
      startedAt,
      completedAt,
      closedAt,
    });
  }

  /** An issue that led to no pull request, or has not yet. */
  writeUnlinked(day: number, at: number): void {
    const random = this.#random;
    const { calendar, workforce } = this.#world;
    const person = random.pick(workforce.contributors);
    const author = person.joinedDay <= day && day < person.leftDay ? person : workforce.pickAuthor(day, random);
    const codeBase = workforce.pickCodeBase(author, day, random);
    const ticket = this.#tracker.open(this.#tracker.projectFor(author, codeBase, random));
    const purpose = random.pick(['feature', 'fix', 'fix', 'improvement'] as const);
    const { sentence } = drawWording(purpose, codeBase.subject, undefined, random);
    const drawn = random.pickWeighted(unlinkedStatuses, ([, odds]) => odds)[0];
    const started = calendar.later(at, drawSkewed(random, 20 * hour, 1), author.phase);
    const done = calendar.later(started, drawSkewed(random, 9 * hour, 1), author.phase);
    const { endAt } = calendar;
    const isStarted = (drawn === 'completed' || drawn === 'started') && started < endAt;
    const isDone = drawn === 'completed' && done < endAt;
    const isDropped = drawn === 'canceled' && done < endAt;
    const status = isDone ? 'completed' : isDropped ? 'canceled' : isStarted ? 'started' : waiting(drawn);
    this.#put(ticket, day, purpose, sentence, status === 'triage' ? undefined : author, null, {
      status,
      createdAt: at,
      startedAt: isStarted ? started : null,
      completedAt: isDone ? done : null,
      closedAt: isDone || isDropped ? done : null,
    });
  }

  /** The large pieces of work of a quarter, one for each project. */
  writeEpics(day: number, quarter: string): void {
    if (this.#tracker.kind === 'github') return;
    const { calendar, workforce } = this.#world;
    const quarterDays = 91;
    for (const project of this.#tracker.projects) {
      const ticket = this.#tracker.open(project);
      const createdAt = calendar.later(calendar.startOf(day), this.#random.between(10, 300) * minute, 0);
      const done = calendar.later(calendar.startOf(day + quarterDays), 5 * hour, 0);
      const completedAt = done < calendar.endAt ? done : null;
      project.epicId = null;
      this.#put(
        ticket,
        day,
        'feature',
        `${project.name}, ${quarter}`,
        workforce.pickAuthor(day, this.#random),
        null,
        {
          status: completedAt === null ? 'started' : 'completed',
          createdAt,
          startedAt: createdAt,
          completedAt,
          closedAt: completedAt,
        },
        'Epic',
      );
      project.epicId = ticket.id;
    }
  }

  #put(
    ticket: Ticket,
    day: number,
    purpose: Purpose,
    sentence: string,
    assignee: Contributor | undefined,
    branch: string | null,
    life: IssueLife,
    type: string = types[purpose],
  ): void {
    const random = this.#random;
    const { weaver, workforce } = this.#world;
    const tracker = this.#tracker;
    const { project } = ticket;
    const account = assignee ? tracker.accountOf(assignee) : undefined;
    const isPlanned = tracker.kind !== 'github' && type !== 'Epic';
    const { contributors } = workforce;
    weaver.add('issues', {
      issue_id: ticket.id,
      issue_key: ticket.key,
      issue_title: sentence,
      issue_url: ticket.url,
      issue_body: random.chance(0.5) ? `${sentence}. Asked for by ${project.name}.` : null,
      issue_type: tracker.kind === 'github' && type !== 'Bug' ? null : type,
      source: tracker.kind,
      project_id: project.id,
      project_name: project.name,
      ticket_status: life.status,
      status_name: statusNames[tracker.kind][life.status],
      priority: tracker.kind === 'github' ? null : random.pick(priorities),
      story_points: isPlanned && random.chance(0.76) ? random.pick(points) : null,
      created_at: isoText(life.createdAt),
      started_at: isoTextOrNull(life.startedAt),
      completed_at: isoTextOrNull(life.completedAt),
      closed_at: isoTextOrNull(life.closedAt),
      branch_name: branch,
      labels: purpose === 'fix' && random.chance(0.4) ? ['bug'] : [],
      creator_name: random.pick(contributors).name,
      sprint_name: isPlanned && life.startedAt !== null ? tracker.sprintOn(day, project) : null,
      parent_issue_id: type !== 'Epic' && random.chance(0.5) ? project.epicId : null,
      person_login: account?.login ?? null,
      person_email: account?.email ?? null,
    });
    this.#comment(ticket, assignee, day, life, project);
  }

  #comment(ticket: Ticket, assignee: Contributor | undefined, day: number, life: IssueLife, project: Project): void {
    const random = this.#random;
    const { weaver, workforce, calendar } = this.#world;
    const until = life.closedAt ?? Math.min(calendar.endAt - 1, life.createdAt + 20 * 24 * hour);
    for (let left = random.integer(0, life.status === 'completed' ? 3 : 2); left > 0; left -= 1) {
      const by = assignee && random.chance(0.5) ? assignee : workforce.pickAuthor(day, random);
      const { login, email } = this.#tracker.accountOf(by);
      this.#serial += 1;
      weaver.add('issue_comments', {
        issue_comment_id: `${this.#tracker.kind}:${project.id}/comment/${this.#serial}`,
        issue_id: ticket.id,
        comment: drawTicketRemark(random),
        created_at: isoText(Math.floor(random.between(life.createdAt, Math.max(life.createdAt, until)))),
        person_login: login,
        person_email: email,
      });
    }
  }
}

const waiting = (drawn: TicketStatus): TicketStatus =>
  drawn === 'completed' || drawn === 'started' || drawn === 'canceled' ? 'unstarted' : drawn;
