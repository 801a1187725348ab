import { useState } from 'react';
import { type DateRange, DayPicker } from 'react-day-picker';
import type { DayWindow } from '../ask/windows.ts';
import './day-range.css';
import { dayRangeWords } from './day-range-words.ts';

interface DayRangeProps {
  readonly window: DayWindow;
  readonly today: string;
  readonly onPick: (window: DayWindow) => void;
}

/** Days are texts everywhere else; the calendar needs a date at local noon. */
const dateOf = (day: string): Date => new Date(`${day}T12:00:00`);
const dayOf = (date: Date): string =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;

/** A range of the reader's own: typed, or picked in a calendar. */
export default function DayRange({ window, today, onPick }: DayRangeProps) {
  const [start, setStart] = useState(window.start);
  const [end, setEnd] = useState(window.end);
  const isRight = start !== '' && end !== '' && start <= end;
  const select = (range: DateRange | undefined) => {
    if (range?.from) setStart(dayOf(range.from));
    if (range?.to) setEnd(dayOf(range.to));
  };
  return (
    <form
      className="menu-part day-range"
      onSubmit={(event) => {
        event.preventDefault();
        if (isRight) onPick({ start, end });
      }}
    >
      <div className="row">
        <label className="field">
          <span>{dayRangeWords.from}</span>
          <input
            className="input"
            type="date"
            value={start}
            max={today}
            onChange={(event) => setStart(event.target.value)}
          />
        </label>
        <label className="field">
          <span>{dayRangeWords.to}</span>
          <input
            className="input"
            type="date"
            value={end}
            max={today}
            onChange={(event) => setEnd(event.target.value)}
          />
        </label>
      </div>
      <DayPicker
        mode="range"
        weekStartsOn={1}
        defaultMonth={dateOf(end || today)}
        selected={isRight ? { from: dateOf(start), to: dateOf(end) } : undefined}
        onSelect={select}
        disabled={{ after: dateOf(today) }}
      />
      <div className="day-range-end">
        {!isRight && <p className="small bad">{dayRangeWords.firstDayMustNot}</p>}
        <button type="submit" className="button primary" disabled={!isRight}>
          {dayRangeWords.showTheseDays}
        </button>
      </div>
    </form>
  );
}
