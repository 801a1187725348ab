import type { Principal } from '../access/principal.ts';
import type { Annotation } from '../annotations/annotation-kind.ts';
import type { Board } from '../boards/board.ts';
import type { Listings } from '../directory/listings.ts';
import type { Documents } from '../documents/documents.ts';
import type { Goals } from '../goals/goal-standings.ts';
import type { Metrics } from '../query/answer-metric.ts';
import type { AnswerOptions } from '../query/collect-answer.ts';

/** The parts that tools answer from, shared with the operations of the HTTP interface. */
export interface ToolParts {
  readonly metrics: Pick<Metrics, 'admit' | 'single' | 'multiple' | 'explain'>;
  readonly listings: Pick<Listings, 'teams' | 'onboardedUsers'>;
  readonly goals: Pick<Goals, 'history' | 'list'>;
  readonly documents: {
    readonly annotation: Pick<Documents<Annotation>, 'list'>;
    readonly board: Pick<Documents<Board>, 'list'>;
  };
  readonly now: () => Date;
}

export interface ToolCaller extends Pick<AnswerOptions, 'ticket'> {
  readonly principal: Principal;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

/** Everything that a tool has found, before it is cut to what an agent can read. */
export interface ToolAnswer {
  readonly rows: readonly object[];
  /** How many rows there are, where not all of them are here. */
  readonly total?: number | undefined;
  /** The facts that a reader of the rows needs, such as the categories of a chart. */
  readonly notes?: object;
}

/** Something that an agent can ask. All tools only read. */
export interface Tool {
  readonly title: string;
  /** Made of declarations alone: a text of a record could tell an agent what to do. */
  readonly description: string;
  /** Schemas of its arguments by name. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly answer: (parts: ToolParts, caller: ToolCaller, given: ToolArguments) => Promise<ToolAnswer>;
}
