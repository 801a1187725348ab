import { TimeZone } from '../../../../src/calendar.ts';
import { deploymentsOf, deploymentsOn, longestWindow } from '../../ask/deployment.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { AskError, Row, Rows } from '../../ask/send.ts';
import { type Answer, useAnswer } from '../../ask/use-answer.ts';
import type { View } from '../../ask/use-view.ts';

/** A deployment on its way to its page; `row` is null when there is none that the reader may see. */
interface FoundDeployment {
  readonly row: Row | null | undefined;
  readonly day: string | undefined;
  readonly error: AskError | undefined;
  readonly retry: () => void;
}

const isDay = (text: string | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '');

/**
 * No filter finds a deployment by its id: it is looked for on the day that the link names, then in the reader's window,
 * then in the last ten years.
 */
export function useDeployment(id: string, view: View): FoundDeployment {
  const named = isDay(view.state.own.on) ? view.state.own.on : undefined;
  const onNamed = useAnswer(named === undefined ? undefined : deploymentsOn(named));
  const isThere = named !== undefined && rowIn(onNamed, id) !== undefined;
  const isNotThere = named === undefined || isDone(onNamed);
  const inWindow = useAnswer(!isThere && isNotThere ? deploymentsOf(view.window) : undefined);
  const seen = rowIn(inWindow, id);
  const inAll = useAnswer(
    !isThere && isNotThere && isDone(inWindow) && !seen ? deploymentsOf(longestWindow(view.today)) : undefined,
  );
  const found = seen ?? rowIn(inAll, id);
  const time = Date.parse(textOf(found?.deployed_at) ?? '');
  const day = isThere ? named : found && TimeZone.named(view.zone).dayAt(time / 1_000);
  const onDay = useAnswer(isThere || day === undefined ? undefined : deploymentsOn(day));
  const asked = [onNamed, inWindow, inAll, onDay];
  const row = (isThere ? rowIn(onNamed, id) : undefined) ?? rowIn(onDay, id);
  const isNowhere = !isThere && isDone(inWindow) && !seen && isDone(inAll) && !found;
  return {
    row: row ?? (isNowhere ? null : undefined),
    day,
    error: asked.find(({ error }) => error)?.error,
    retry: () => {
      for (const { error, retry } of asked) if (error) retry();
    },
  };
}

const rowIn = ({ data }: Answer<Rows>, id: string): Row | undefined =>
  data?.rows.find(({ deployment_id }) => deployment_id === id);
const isDone = ({ data, isOld }: Answer<Rows>): boolean => data !== undefined && !isOld;
