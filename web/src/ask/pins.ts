import { sendJson } from './send.ts';
import { queryClient, useJson } from './use-answer.ts';

interface PinnedBoard {
  readonly board: string;
  readonly title: string;
}

const path = '/app/pinned-boards';

/** The boards in the reader's navigation, in the order in which they were pinned. */
export const usePinnedBoards = (): readonly PinnedBoard[] => useJson<readonly PinnedBoard[]>(path).data ?? [];

export async function setPinned(slug: string, isPinned: boolean): Promise<void> {
  await sendJson(isPinned ? 'PUT' : 'DELETE', `${path}/${encodeURIComponent(slug)}`);
  await refreshPins();
}

/** A board that was renamed or removed is another one in the navigation, too. */
export const refreshPins = (): Promise<void> => queryClient.invalidateQueries({ queryKey: [path] });
