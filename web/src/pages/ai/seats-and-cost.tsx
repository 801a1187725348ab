import { filterInWhere } from '../../ask/rows-behind.ts';
import { useAnswers } from '../../ask/use-answer.ts';
import { openPanel, type View } from '../../ask/use-view.ts';
import { ComputedTile } from '../../view/computed-tile.tsx';
import { counted, grouped, shown } from '../../view/format.ts';
import { costPerPerson, costQuestion, idleOf, seatsIn, seatsQuestion } from './questions.ts';

/** Seats that nobody used in the window: what is paid for and lies idle. */
export function SeatsTile({ view }: { readonly view: View }) {
  const [now, before] = useAnswers([seatsQuestion(view, view.window), view.before && seatsQuestion(view, view.before)]);
  if (!now) return null;
  const { all, idle } = seatsIn(now.data?.rows ?? []);
  const earlier = before?.data && seatsIn(before.data.rows).all;
  return (
    <ComputedTile
      label="Idle seats"
      meaning="People with a day recorded for any assistant in the window, less those who were active on one of these days."
      measure="count"
      better="lower"
      value={all.seats === 0 ? null : idleOf(all)}
      before={view.before && (earlier && earlier.seats > 0 ? idleOf(earlier) : null)}
      of={
        all.seats === 0
          ? 'no seats in this window'
          : `of ${counted(all.seats, 'seat', 'seats')}, ${grouped(all.active)} active`
      }
      answer={now}
      questions={[seatsQuestion(view, view.window)]}
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

export function CostTile({ view }: { readonly view: View }) {
  const [now, before] = useAnswers([costQuestion(view, view.window), view.before && costQuestion(view, view.before)]);
  if (!now) return null;
  const { cost, people, each } = costPerPerson(now.data?.rows[0]);
  return (
    <ComputedTile
      label="Cost per active person"
      meaning="Cost of assistants in the window, divided by the people who used one in it."
      measure="usd"
      better="lower"
      value={each}
      before={view.before && costPerPerson(before?.data?.rows[0]).each}
      of={each === null ? 'nobody used AI' : `${shown(cost, 'usd')} for ${counted(people ?? 0, 'person', 'people')}`}
      answer={now}
      questions={[costQuestion(view, view.window)]}
      onOpen={() => openPanel({ metric: 'ai-total-cost', aggregation: 'SUM' })}
    />
  );
}
