import { filterInWhere } from '../../ask/rows-behind.ts';
import { isAnyOld, useAnswer, useAnswers } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import type { DayWindow } from '../../ask/windows.ts';
import { seesOnlyOwn, useSession } from '../../page-session.ts';
import { ComputedTile } from '../../view/computed-tile.tsx';
import { shown } from '../../view/format.ts';
import { useWhoseWords } from '../../view/whose-words.ts';
import { costPerPerson, costQuestion, toolsByCost, unknownCostWords, usageQuestion } from './questions.ts';
import { coveredWords, idleOf, seatsIn, seatsQuestion, sessionsByAgent, sessionUseQuestion } from './seats.ts';
import { seatsAndCostWords } from './words.ts';

/** Seats of people who used no AI in the window: they are paid for and not used. */
export function SeatsTile({ view }: { readonly view: View }) {
  const questions = [seatsQuestion(view, view.window), sessionUseQuestion(view, view.window)];
  const [now, used, before, usedBefore] = useAnswers([
    ...questions,
    view.before && seatsQuestion(view, view.before),
    view.before && sessionUseQuestion(view, view.before),
  ]);
  const { ofWhom } = useWhoseWords();
  if (!now || !used) return null;
  const { all, idle } = seatsIn(now.data?.rows ?? [], used.data?.rows ?? []);
  const earlier = before?.data && usedBefore?.data && seatsIn(before.data.rows, usedBefore.data.rows).all;
  // Before both answers are there, a seat would count as unused although its sessions are still to come.
  const answer = {
    error: now.error ?? used.error,
    isFirst: now.isFirst || used.isFirst,
    isOld: now.isOld || used.isOld,
    retry: () => {
      for (const one of [now, used]) if (one.error) one.retry();
    },
  };
  return (
    <ComputedTile
      label={seatsAndCostWords.idleSeats}
      meaning={seatsAndCostWords.peopleWithSeat}
      measure="count"
      value={all.seats === 0 ? null : idleOf(all)}
      before={view.before && (earlier && earlier.seats > 0 ? idleOf(earlier) : null)}
      isComparable={view.isComparable('adoption-rate')}
      of={all.seats === 0 ? seatsAndCostWords.noSeats(ofWhom) : seatsAndCostWords.used(all.seats, all.active)}
      answer={answer}
      questions={questions}
      {...(idle.length > 0 ? { onOpen: () => openIdle(idle) } : {})}
    />
  );
}

/** The days of exactly these people; where their ids are too many for an address, all days without use. */
function openIdle(people: readonly string[]): void {
  const metric = 'adoption-rate';
  if (!openPanel({ metric, where: filterInWhere('member', people) }))
    openPanel({ metric, where: { is_active: 'false' } });
}

/** The cost in a window. The page first asks which tools report a cost, in each window: a tool may be new. */
function useCost(view: View, window: DayWindow | undefined) {
  const byTool = useAnswer(window && usageQuestion(view, 'tool', window));
  const tools = byTool.data && toolsByCost(byTool.data.rows);
  const canAsk = tools !== undefined && !byTool.isOld && (tools.known.length > 0 || tools.unknown.length === 0);
  const question = window && canAsk ? costQuestion(view, tools, window) : undefined;
  return { byTool, tools, question, answer: useAnswer(question) };
}

/** Tools that report no cost have no part in the total: neither their people nor a cost of 0. */
export function CostTile({ view }: { readonly view: View }) {
  const { byTool, tools, question, answer: now } = useCost(view, view.window);
  const before = useCost(view, view.before);
  // Of tools that all report none, an answer to an earlier question says nothing.
  const { cost, people, each } = costPerPerson(question || byTool.isOld ? now.data?.rows[0] : undefined);
  const unknown = unknownCostWords(tools?.unknown ?? []);
  const isOwn = seesOnlyOwn(useSession());
  return (
    <ComputedTile
      label={seatsAndCostWords.costPerActivePerson}
      meaning={seatsAndCostWords.costAssistantsInWindow}
      measure="usd"
      value={each}
      before={view.before && costPerPerson(before.question ? before.answer.data?.rows[0] : undefined).each}
      isComparable={view.isComparable('adoption-rate')}
      of={
        <>
          {each !== null && seatsAndCostWords.for(shown(cost, 'usd'), people)}
          {each === null &&
            unknown === undefined &&
            (isOwn ? seatsAndCostWords.youDidntUseAi : seatsAndCostWords.noOneUsedAi)}
          {unknown && (
            <>
              {each !== null && <br />}
              {unknown}
            </>
          )}
        </>
      }
      answer={question && byTool.error === undefined ? now : byTool}
      questions={[question ?? usageQuestion(view, 'tool')]}
      onOpen={() => openPanel({ metric: 'ai-total-cost', aggregation: 'SUM' })}
    />
  );
}

/** What the totals above cover, since some tools report days, some sessions, and some both. */
export function CoveredTools({ view }: { readonly view: View }) {
  const [seats, used] = useAnswers([seatsQuestion(view, view.window), sessionUseQuestion(view, view.window)]);
  const { byTool, unknownAccounts } = seatsIn(seats?.data?.rows ?? [], []);
  const agents = sessionsByAgent(used?.data?.rows ?? []);
  return (
    <p className={`small secondary ${isAnyOld([seats, used]) ? 'is-old' : ''}`}>
      {coveredWords([...byTool.keys()], [...agents.keys()], unknownAccounts) || '\u00a0'}
    </p>
  );
}
