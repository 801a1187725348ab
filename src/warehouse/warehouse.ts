import type { QuestionPort } from '../query/question-port.ts';
import type { IntakePort } from './intake-port.ts';
import type { EmbeddedPort, MaintenancePort } from './maintenance-port.ts';
import type { MovingPort } from './moving-port.ts';

/** The tables of what happened, apart for each organisation: what every engine has. */
export interface Warehouse extends QuestionPort, IntakePort {
  close(): Promise<void>;
}

/** The warehouse as a server has it. */
export interface ServedWarehouse extends Warehouse, MaintenancePort {
  readonly moving: MovingPort;
}

/** The warehouse in files of this process. */
export interface EmbeddedWarehouse extends Warehouse, EmbeddedPort {
  readonly moving: MovingPort;
}
