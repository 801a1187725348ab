import { copyFileSync, existsSync } from 'node:fs';
import type { DestinationPlace } from '../moving/destination.ts';
import { type MoveSource, moveEverything } from '../moving/move.ts';
import type { MoveStep } from '../moving/move-tables.ts';
import { type Reason, Refusal } from '../refusal.ts';
import { folderSecretPath } from '../secrets/folder-secret.ts';
import type { SecretSettings } from '../secrets/secrets.ts';
import type { Actor } from '../store/audit.ts';
import { reportedWork } from './reported-work.ts';

export interface MoveInput {
  readonly to: DestinationPlace;
}

/** How it ended. */
export interface MoveOutcome {
  readonly outcome: 'complete';
  readonly organisations: number;
  readonly rows: number;
  /** Where the secret that tokens of sources are encrypted with lies, if the new place has yet to be given it. */
  readonly secret_file: string | null;
  /** Whether the old place takes no writes for as long as its server runs. */
  readonly old_place_is_held: boolean;
}

/** Said as a line, since the lines before it have left already. */
interface MoveRefused {
  readonly outcome: 'refused';
  readonly reason: Reason;
  readonly message: string;
}

export type MoveLine = MoveStep | MoveOutcome | MoveRefused;

export interface MoveParts extends MoveSource {
  readonly place: SecretSettings;
  /** A server goes on after it: it then takes no writes that would be lost. */
  readonly isServing: boolean;
  readonly now: () => Date;
}

/** Moves everything, and reports step by step how far it is. It stops when its caller stops listening. */
export async function* moveLines(parts: MoveParts, { to }: MoveInput, actor: Actor): AsyncGenerator<MoveLine> {
  let steps: MoveStep[] = [];
  const tell = (step: MoveStep) => void steps.push(step);
  const options = { tell, actor, at: parts.now(), keepsHold: parts.isServing };
  try {
    const moved = yield* reportedWork<MoveStep, { readonly organisations: number; readonly rows: number }>({
      work: (signal) => moveEverything(parts, to, { ...options, signal }),
      news: () => {
        const news = steps.filter(({ state }, i) => state !== 'copying' || i === steps.length - 1);
        steps = [];
        return news;
      },
      first: { organisation: null, table: 'organisations', state: 'copying', rows: 0 },
    });
    const secret_file = secretFor(parts.place, to);
    yield { outcome: 'complete', ...moved, secret_file, old_place_is_held: parts.isServing };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    yield { outcome: 'refused', reason: error.reason, message: error.message };
  }
}

/** A secret that was made for a data folder goes along to another folder; servers have to be given it. */
function secretFor({ folder, secret }: SecretSettings, to: DestinationPlace): string | null {
  const path = folderSecretPath(folder);
  if (secret !== undefined || !existsSync(path)) return null;
  if (!('folder' in to)) return path;
  copyFileSync(path, folderSecretPath(to.folder));
  return null;
}
