import { lazy, type ReactNode, Suspense, useState } from 'react';
import { changeView, type View } from '../ask/use-view.ts';
import { type Compare, comparisons, dayCount, isPreset, type Preset, presets } from '../ask/windows.ts';
import { shownWindow } from './format.ts';
import { Menu, MenuItem } from './menu.tsx';

const DayRange = lazy(() => import('./day-range.tsx'));

export const presetNames: Readonly<Record<Preset, string>> = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  month: 'This month',
  'last-month': 'Last month',
  quarter: 'This quarter',
  'last-quarter': 'Last quarter',
  year: 'This year',
  'last-year': 'Last year',
};

interface RangeMenuProps {
  readonly view: View;
  readonly icon?: ReactNode;
  /** Whether there is room for few words: `90 days`. */
  readonly isShort?: boolean;
}

/** The menu of the days that a page shows. */
export function RangeMenu({ view, icon, isShort = false }: RangeMenuProps) {
  const { range } = view.state;
  const [isOwn, setOwn] = useState(false);
  const label = windowName(view);
  return (
    <Menu
      label={
        <>
          {icon}
          <span className="menu-label">{isShort ? label.replace(/^Last (?=\d)/, '') : label}</span>
        </>
      }
      name={`Range: ${label}`}
      shortcut="range"
    >
      {(close) => (
        <>
          <p className="menu-part small secondary">
            {shownWindow(view.window)} · {view.zone}
          </p>
          <div className="menu-columns">
            {presets.map((preset) => (
              <MenuItem
                key={preset}
                isChosen={range === preset}
                onPick={() => {
                  changeView({ range: preset });
                  close();
                }}
              >
                {presetNames[preset]}
              </MenuItem>
            ))}
            <MenuItem isChosen={!isPreset(range)} onPick={() => setOwn(!isOwn)}>
              Custom range
            </MenuItem>
          </div>
          {(isOwn || !isPreset(range)) && (
            <Suspense fallback={<div className="skeleton menu-part" />}>
              <DayRange
                window={view.window}
                today={view.today}
                onPick={(window) => {
                  changeView({ range: window });
                  close();
                }}
              />
            </Suspense>
          )}
        </>
      )}
    </Menu>
  );
}

const comparisonNames: Readonly<Record<Compare, string>> = {
  none: 'No comparison',
  previous: 'Previous period',
  year: 'Previous year',
  weekday: 'Match day of week',
};

const comparedWith: Readonly<Record<Compare, string>> = {
  none: 'No comparison',
  previous: 'vs previous period',
  year: 'vs previous year',
  weekday: 'vs the same weekdays before',
};

/**
 * The window before, in words: `the 90 days before`. A month is compared with the month before, which may be longer or
 * shorter.
 */
export function beforeInWords({ state, window, before }: View): string {
  if (state.compare === 'year') return 'the same days a year before';
  if (state.compare === 'weekday') return 'the same weekdays before';
  const days = dayCount(window);
  const isCalendar = isPreset(state.range) && !state.range.endsWith('d');
  if (isCalendar || (before && dayCount(before) !== days)) return 'the period before';
  return days === 1 ? 'the day before' : `the ${days} days before`;
}

/** The window of a page as a legend names it: `Last 90 days`. */
export const windowName = ({ state: { range } }: View): string =>
  isPreset(range) ? presetNames[range] : shownWindow(range);

/** The window before, as a legend names it: `Previous 90 days`. */
export function beforeName({ state: { range, compare }, window }: View): string {
  if (compare === 'year') return 'Previous year';
  if (compare === 'weekday') return 'Same weekdays before';
  return isPreset(range) && range.endsWith('d') ? `Previous ${dayCount(window)} days` : 'Previous period';
}

/** The menu of windows to compare with. */
export function CompareMenu({ view }: { readonly view: View }) {
  const label = comparedWith[view.state.compare];
  return (
    <Menu label={<span className="menu-label">{label}</span>} name={`Compare: ${label}`} shortcut="compare">
      {(close) => <ComparisonChoices view={view} onPicked={close} />}
    </Menu>
  );
}

interface ComparisonChoicesProps {
  readonly view: View;
  readonly onPicked?: () => void;
}

/** The windows to compare with, and the days of the chosen one. */
export function ComparisonChoices({ view, onPicked }: ComparisonChoicesProps) {
  return (
    <>
      {view.before && <p className="menu-part small secondary">{shownWindow(view.before)}</p>}
      {comparisons.map((one) => (
        <MenuItem
          key={one}
          isChosen={one === view.state.compare}
          onPick={() => {
            changeView({ compare: one });
            onPicked?.();
          }}
        >
          {comparisonNames[one]}
        </MenuItem>
      ))}
    </>
  );
}
