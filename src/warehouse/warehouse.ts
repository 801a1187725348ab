import type { QuestionPort } from '../query/question-port.ts';
import type { EmbeddedPort } from './embedded-port.ts';
import type { IntakePort, TableReader, TableWriter } from './intake-port.ts';

/** The tables of what happened, apart for each organisation: what every engine has. */
export interface Warehouse extends QuestionPort, IntakePort {
  close(): Promise<void>;
}

/** The same in files of this process. */
export interface EmbeddedWarehouse extends Warehouse, EmbeddedPort {}

export type { ChangeOptions, Condition, TableChanges } from './intake-port.ts';
export type Reading = TableReader;
export type Writing = TableWriter;
