import { metrics } from '../catalogue/metrics/all-metrics.ts';
import { dayIn, fieldsIn, filtersIn, needed, requiredTitle, wordIn } from '../documents/document-fields.ts';
import type { DocumentContext, DocumentKind, WritingContext } from '../documents/document-kind.ts';
import { slugIn } from '../documents/slug.ts';
import { filtersByTeamId, filtersByTeamName, teamIdsIn } from '../documents/teams-of-reader.ts';
import type { VisibleTo } from '../documents/visible-to.ts';
import { readFilters } from '../query/reading/read-filters.ts';
import { Refusal } from '../refusal.ts';

export const annotationKinds = ['release', 'incident', 'reorganisation', 'rollout', 'other'] as const;

/** Something that happened, which charts over time show. */
export interface Annotation {
  readonly annotation: string;
  /** The day, or the first of several. */
  readonly at: string;
  /** The last day, where it took several. */
  readonly until: string | null;
  readonly title: string;
  readonly kind: (typeof annotationKinds)[number];
  /** Whom it is about; everybody without any. Teams by id. */
  readonly filters: Readonly<Record<string, unknown>>;
}

const annotationFields = ['annotation', 'at', 'until', 'title', 'kind', 'filters'] as const;
const annotationFilters = ['team', 'repositories'] as const;

export const annotationKind: DocumentKind<Annotation> = {
  kind: 'annotation',
  plural: 'annotations',
  maxCount: 1_000,
  read: (written, context) => ({ document: readAnnotation(written, context) }),
  shown: ({ document }, context) => shownAnnotation(document, context),
  visibleTo: readersOfAnnotation,
  refuseMaker: ({ role }) => {
    if (role === 'Owner' || role === 'Manager') return;
    throw new Refusal('forbidden', `Only Managers and Owners make annotations. You have the role ${role}.`);
  },
};

/** Whether an annotation has some day in common with others, which may be open to either side. */
export const isWithinDays = (
  { at, until }: Pick<Annotation, 'at' | 'until'>,
  { start, end }: { readonly start?: string | undefined; readonly end?: string | undefined },
): boolean => (end === undefined || at <= end) && (start === undefined || (until ?? at) >= start);

/** What is about a team is for those who see the team; all else is for everybody. */
function readersOfAnnotation({ filters }: Annotation): VisibleTo {
  const teamIds = [...teamIdsIn(filters)];
  return teamIds.length > 0 ? { teamIds } : 'organisation';
}

function readAnnotation(written: unknown, { slug, teams, before }: WritingContext<Annotation>): Annotation {
  const fields = fieldsIn(written, annotationFields, 'An annotation');
  const filters = filtersByTeamId(
    fieldsIn(filtersIn(fields), annotationFilters, 'filters of an annotation'),
    teams,
    teamIdsIn(before?.document),
  );
  const metric = metrics.get('pull-requests-count');
  if (metric) readFilters(filters, [metric]);
  const at = needed(dayIn(fields, 'at'), 'at', 'the day, such as 2026-03-02');
  const until = dayIn(fields, 'until') ?? null;
  if (until !== null && until < at) throw new Refusal('bad-input', `until must not be before at (${at}).`);
  return {
    annotation: slugIn(fields, 'annotation', slug),
    at,
    until,
    title: requiredTitle(fields),
    kind: wordIn(fields, 'kind', annotationKinds) ?? 'other',
    filters,
  };
}

function shownAnnotation(document: Annotation, { teams }: DocumentContext): object {
  const shown = { ...document, filters: filtersByTeamName(document.filters, teams) };
  return Object.fromEntries(annotationFields.map((name) => [name, shown[name]]));
}
