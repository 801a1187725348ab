import { decryptReceivers, type ReceiverParts, readReceiverList, shownReceivers } from '../alerts/kept-receivers.ts';
import type { StoredReceiver } from '../alerts/recipients.ts';
import { whyNotShown } from '../alerts/rule-fields.ts';
import type { Board } from '../boards/board.ts';
import { metrics } from '../catalogue/metrics/all-metrics.ts';
import { windowFilters } from '../catalogue/request-fields.ts';
import { fieldsIn, filtersIn, given } from '../documents/document-fields.ts';
import type { DocumentKind, WritingContext } from '../documents/document-kind.ts';
import { slugIn } from '../documents/slug.ts';
import { filtersByTeamId, filtersByTeamName, teamIdsIn } from '../documents/teams-of-reader.ts';
import { mayRead, readersOf } from '../documents/visible-to.ts';
import { refuse } from '../query/reading/body.ts';
import { readFilters } from '../query/reading/read-filters.ts';
import { findDocument } from '../store/document-rows.ts';
import { whyBoardNotShown } from './board-panels.ts';
import { readSchedule } from './digest-schedule.ts';

/** A digest as it is stored. The addresses of its receivers are among its secrets. */
export interface Digest {
  /** The board that it shows; the overview where there is none. */
  readonly board: string | null;
  readonly filters: Readonly<Record<string, unknown>>;
  /** `monday 08:00`, `day 08:00` or `month 1 08:00`. */
  readonly every: string;
  readonly to: readonly StoredReceiver[];
}

const digestFields = ['digest', 'board', 'filters', 'every', 'to'];

/** Digests: the overview or a board, sent at its time. Only their owner and the Owners see them. */
export const digestKind = (parts: ReceiverParts): DocumentKind<Digest> => ({
  kind: 'digest',
  plural: 'digests',
  isSent: true,
  maxCount: 100,
  read: async (written, context) => {
    const fields = fieldsIn(written, digestFields, 'The digest');
    slugIn(fields, 'digest', context.slug);
    readSchedule(fields.every);
    const { board: slug = null } = fields;
    if (slug !== null && typeof slug !== 'string') throw refuse('board must be the name of a board, or null.');
    const board = slug === null ? undefined : await boardOf(slug, context);
    const filters = filtersByTeamId(filtersIn(fields), context.teams, teamIdsIn(context.before?.document));
    refuseFilters(filters, board);
    const { to, secrets, madeSecrets, hasOthers } = await readReceiverList(parts, 'digest', fields.to, context);
    const why = whyNotShown({ filters }) ?? (board && whyBoardNotShown(board));
    if (hasOthers && why !== undefined) {
      throw refuse(`This can only go to an address of its owner: ${why}. Channels and others get nothing of it.`);
    }
    const every = String(fields.every).trim().toLowerCase();
    const once = madeSecrets.length === 0 ? {} : { once: { webhook_secrets: madeSecrets } };
    return { document: { board: slug, filters, every, to }, secrets, ...once };
  },
  shown: ({ slug, document: { board, filters, every, to } }, { teams }) =>
    given({ digest: slug, board, filters: filtersByTeamName(filters, teams), every, to: shownReceivers(to) }),
  visibleTo: () => 'me',
  refuseMaker: () => {},
});

/** The addresses of a digest. */
export const receiversOfDigest = (
  parts: Pick<ReceiverParts, 'secrets'>,
  organisationId: string,
  stored: { readonly slug: string; readonly secrets: string | null },
) => decryptReceivers(parts, organisationId, 'digest', stored);

/** The board of a digest, which its maker has to see. */
async function boardOf(slug: string, { session, principal, teams }: WritingContext<Digest>): Promise<Board> {
  const row = await findDocument(session, principal.organisationId, 'board', slug);
  const board = row && (JSON.parse(row.body) as Board);
  const isSeen = board && (row.owner === principal.personId || mayRead(principal, teams, readersOf(board.visible_to)));
  if (!isSeen) throw refuse(`board: there is no board '${slug}' that you may see.`);
  return board;
}

/** Without a board they are those of the overview, which are those of pull requests. With one, its panels take what they have. */
function refuseFilters(filters: Digest['filters'], board: Board | undefined): void {
  const dates = windowFilters.find((name) => Object.hasOwn(filters, name));
  if (dates !== undefined) throw refuse(`filters: leave ${dates} out, since every digest has days of its own.`);
  const names = board ? board.panels.map(({ metric }) => metric) : ['pull-requests-count'];
  const asked = names.flatMap((name) => metrics.get(name) ?? []);
  for (const [name, value] of Object.entries(filters)) {
    const problems = asked.map((metric) => problemOf(() => readFilters({ [name]: value }, [metric])));
    const [first] = problems;
    if (first !== undefined && problems.every((problem) => problem !== undefined)) throw first;
  }
}

function problemOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
