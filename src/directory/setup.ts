import { findCursor, noteCursor } from '../store/cursors.ts';
import { findSample } from '../store/organisation-rows.ts';
import type { Directory } from './directory.ts';

/** How far an Owner has gone through the first steps, beyond what the organisation's own state says. */
export interface SetupState {
  /** The steps that were left out for now, by name. */
  readonly skipped: readonly string[];
  /** An empty organisation no longer leads there. */
  readonly is_closed: boolean;
}

interface SetupView extends SetupState {
  /** The demo of this server, where it has one beside the organisation. */
  readonly sample: { readonly name: string } | null;
}

const [source, stream] = ['setup', 'state'];
const untouched: SetupState = { skipped: [], is_closed: false };

export function setupOf({ store }: Directory, organisationId: string): Promise<SetupView> {
  return store.read(async (session) => {
    const sample = await findSample(session);
    const text = await findCursor(session, organisationId, source, stream);
    const state = text === undefined ? untouched : (JSON.parse(text) as SetupState);
    return { ...state, sample: sample && sample.id !== organisationId ? { name: sample.name } : null };
  });
}

/** No answer depends on it: the organisation keeps its version. */
export const noteSetup = ({ store, now }: Directory, organisationId: string, state: SetupState): Promise<void> =>
  store.note((session) => noteCursor(session, organisationId, source, stream, JSON.stringify(state), now()));

/** The demo of this server, with a Manager who sees all of it; undefined for the demo itself, and without one. */
export async function sampleFor({ store }: Directory, organisationId: string) {
  const sample = await store.read((session) => findSample(session));
  return sample?.id === organisationId ? undefined : sample;
}
