import type { lastActivity, ReportedAnswer, SurveyRow } from '../../src/catalogue/derivation-state.ts';
import type {
  PersonCopy,
  personEmailsCopy,
  squadMembersCopy,
  squadsCopy,
  teamMembersCopy,
  teamsCopy,
} from '../../src/catalogue/directory-copies.ts';
import type { Row, RowOf } from '../../src/catalogue/table.ts';
import type { FactTable } from '../../src/catalogue/tables/all-tables.ts';

/** Names as they are matched are for the tables alone. */
type Unkeyed<R> = { readonly [N in keyof R as N extends `${string}_key` ? never : N]: R[N] };

export type Person = Unkeyed<PersonCopy>;
export type PersonEmail = Unkeyed<RowOf<typeof personEmailsCopy>>;
export type Team = Unkeyed<RowOf<typeof teamsCopy>>;
export type TeamMember = RowOf<typeof teamMembersCopy>;
export type Squad = Unkeyed<RowOf<typeof squadsCopy>>;
export type SquadMember = RowOf<typeof squadMembersCopy>;
export type LastActivity = RowOf<typeof lastActivity>;

/** Everything that an organisation's warehouse keeps, as plain rows. */
export interface World {
  readonly timeZone: string;
  /** What "today" is for a window without an end. */
  readonly now: Date;
  /** How far the pull requests are complete, in seconds since 1970, where answers say so. */
  readonly completeThrough?: number | undefined;
  readonly people: readonly Person[];
  readonly personEmails: readonly PersonEmail[];
  readonly teams: readonly Team[];
  readonly teamMembers: readonly TeamMember[];
  readonly squads: readonly Squad[];
  readonly squadMembers: readonly SquadMember[];
  readonly lastActivity: readonly LastActivity[];
  readonly facts: Readonly<Record<FactTable, readonly Row[]>>;
  /** How the answers of surveys are shown, and those that are shown in groups. */
  readonly surveys?: readonly SurveyRow[];
  readonly reportedAnswers?: readonly ReportedAnswer[];
  /** Where answers to new surveys are anonymous: the fewest respondents of a reporting group. */
  readonly minRespondents?: number;
}

/** Whose rows someone may see: everyone's, or their own and those of some others. */
export type Seeing =
  | 'organisation'
  | {
      readonly self: string;
      readonly teamIds: readonly string[];
      readonly hasReports: boolean;
      readonly leadsSquads: boolean;
    };

/** The members of a JSON list that is kept as text. */
export const listed = (text: unknown): string[] => (typeof text === 'string' ? (JSON.parse(text) as string[]) : []);
