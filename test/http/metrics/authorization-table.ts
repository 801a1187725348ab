/**
 * Who may ask what, in which form: written down, not worked out. The tests hold every metric of the catalogue to it; a
 * metric that has no row here fails.
 */

export const roles = ['owner', 'manager', 'restricted manager', 'squad lead', 'engineer'] as const;
export type AskingRole = (typeof roles)[number];

export const forms = ['rows', 'results', 'series', 'multiple', 'benchmark', 'explain'] as const;
export type Form = (typeof forms)[number];

export type MetricKind = 'plain' | 'text' | 'people' | 'salary' | 'survey' | 'calendar';

/** The kind of every metric. */
export const kinds: ReadonlyMap<string, MetricKind> = new Map([
  ['pull-requests-count', 'plain'],
  ['pull-requests-size', 'plain'],
  ['review-rate', 'plain'],
  ['complexity-score', 'plain'],
  ['contributors-count', 'plain'],
  ['review-rounds', 'plain'],
  ['reviewers-per-pr', 'plain'],
  ['comments-per-pr', 'plain'],
  ['reviews-count', 'plain'],
  ['review-interactions-count', 'plain'],
  ['changes-requested-rate', 'plain'],
  ['active-reviewers', 'plain'],
  ['reviews-by-time-of-day', 'plain'],
  ['comments-count', 'plain'],
  ['comment-interactions-count', 'plain'],
  ['commits-count', 'plain'],
  ['commit-interactions-count', 'plain'],
  ['pull-request-events-count', 'plain'],
  ['coding-time', 'plain'],
  ['commit-to-open', 'plain'],
  ['pickup-time', 'plain'],
  ['open-to-review', 'plain'],
  ['review-time', 'plain'],
  ['review-to-merge', 'plain'],
  ['rework-time', 'plain'],
  ['cycle-time', 'plain'],
  ['time-to-first-comment', 'plain'],
  ['rework-rate', 'plain'],
  ['issues-count', 'plain'],
  ['completed-issues-count', 'plain'],
  ['started-issues-count', 'plain'],
  ['backlog-issues-count', 'plain'],
  ['story-points', 'plain'],
  ['completed-story-points', 'plain'],
  ['started-story-points', 'plain'],
  ['issue-cycle-time', 'plain'],
  ['issue-comments-count', 'plain'],
  ['issue-comment-interactions-count', 'plain'],
  ['adopted-users', 'plain'],
  ['adoption-rate', 'plain'],
  ['ai-adoption-rate', 'plain'],
  ['suggested-lines', 'plain'],
  ['accepted-lines', 'plain'],
  ['ai-acceptance-rate', 'plain'],
  ['acceptance-rate', 'plain'],
  ['total-accepts', 'plain'],
  ['total-rejects', 'plain'],
  ['ai-total-loc', 'plain'],
  ['ai-percent-ai-generated-code', 'plain'],
  ['ai-code-ratio', 'plain'],
  ['total-lines-added', 'plain'],
  ['total-lines-deleted', 'plain'],
  ['chat-requests', 'plain'],
  ['composer-requests', 'plain'],
  ['agent-requests', 'plain'],
  ['cmd-k-usages', 'plain'],
  ['ai-total-token-usage', 'plain'],
  ['ai-total-cost', 'plain'],
  ['ai-favourite-model', 'text'],
  ['most-used-programming-language', 'text'],
  ['ai-pr-count', 'plain'],
  ['ai-complexity-score', 'plain'],
  ['posthook-sessions-count', 'plain'],
  ['posthook-session-message-counts', 'plain'],
  ['posthook-session-file-counts', 'plain'],
  ['posthook-session-commit-counts', 'plain'],
  ['workflow-runs-count', 'plain'],
  ['workflow-run-duration', 'plain'],
  ['workflow-run-duration-p95', 'plain'],
  ['workflow-run-success-rate', 'plain'],
  ['artifact-sizes', 'plain'],
  ['estimated-workflow-run-cost', 'plain'],
  ['releases-count', 'plain'],
  ['deployment-frequency', 'plain'],
  ['change-failure-rate', 'plain'],
  ['deployment-rework-rate', 'plain'],
  ['time-to-restore-p50', 'plain'],
  ['time-to-restore', 'plain'],
  ['deployment-success-rate', 'plain'],
  ['prs-per-deployment', 'plain'],
  ['lead-time-for-changes', 'plain'],
  ['lead-time-for-changes-p50', 'plain'],
  ['merge-to-deploy', 'plain'],
  ['merge-to-deploy-p50', 'plain'],
  ['open-to-deploy', 'plain'],
  ['queue-time', 'plain'],
  ['users-count', 'people'],
  ['salary', 'salary'],
  ['survey-recipients-count', 'survey'],
  ['survey-completed-recipients-count', 'survey'],
  ['survey-responses-count', 'survey'],
  ['survey-respondents-count', 'survey'],
  ['date-details', 'calendar'],
]);

type Statuses = Readonly<Record<Form, number>>;

const everyForm: Statuses = { rows: 200, results: 200, series: 200, multiple: 200, benchmark: 200, explain: 200 };
const noForm: Statuses = { rows: 403, results: 403, series: 403, multiple: 403, benchmark: 403, explain: 403 };
/** No chart shows a text, and none is larger than another. */
const ofTexts: Statuses = { rows: 200, results: 200, series: 400, multiple: 200, benchmark: 400, explain: 200 };
/** People are as they are now. */
const ofPeople: Statuses = { rows: 200, results: 400, series: 400, multiple: 200, benchmark: 400, explain: 200 };
const ofSurveys: Statuses = { rows: 200, results: 200, series: 200, multiple: 200, benchmark: 400, explain: 200 };
/** Computed from the calendar: there is nothing behind it, and the form makes no difference. */
const ofTheCalendar: Statuses = { rows: 200, results: 200, series: 200, multiple: 400, benchmark: 400, explain: 400 };

/** Without the permission to view salaries, or in an organisation that does not show them. */
export const statuses: Readonly<Record<AskingRole, Readonly<Record<MetricKind, Statuses>>>> = {
  owner: {
    plain: everyForm,
    text: ofTexts,
    people: ofPeople,
    salary: noForm,
    survey: ofSurveys,
    calendar: ofTheCalendar,
  },
  manager: {
    plain: everyForm,
    text: ofTexts,
    people: ofPeople,
    salary: noForm,
    survey: ofSurveys,
    calendar: ofTheCalendar,
  },
  'restricted manager': {
    plain: everyForm,
    text: ofTexts,
    people: ofPeople,
    salary: noForm,
    survey: ofSurveys,
    calendar: ofTheCalendar,
  },
  'squad lead': {
    plain: everyForm,
    text: ofTexts,
    people: ofPeople,
    salary: noForm,
    survey: noForm,
    calendar: ofTheCalendar,
  },
  engineer: {
    plain: everyForm,
    text: ofTexts,
    people: ofPeople,
    salary: noForm,
    survey: noForm,
    calendar: ofTheCalendar,
  },
};

/** Salaries go by the organisation and by a permission, never by the role. */
export const salaryStatuses: readonly {
  readonly isVisible: boolean;
  readonly isPermitted: boolean;
  readonly statuses: Statuses;
}[] = [
  { isVisible: false, isPermitted: false, statuses: noForm },
  { isVisible: false, isPermitted: true, statuses: noForm },
  { isVisible: true, isPermitted: false, statuses: noForm },
  { isVisible: true, isPermitted: true, statuses: ofPeople },
];
