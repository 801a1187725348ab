import { lazy, type ReactNode, Suspense, useState } from 'react';
import { changeView, type View } from '../ask/use-view.ts';
import { comparisons, isPreset, presets } from '../ask/windows.ts';
import { shownWindow } from './format.ts';
import { Menu, MenuItem } from './menu.tsx';
import { comparedWith, comparisonNames, presetNames, rangeMenuWords, windowName } from './range-words.ts';

const DayRange = lazy(() => import('./day-range.tsx'));

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
      name={rangeMenuWords.range(label)}
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
              {rangeMenuWords.customRange}
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

/** The menu of windows to compare with. */
export function CompareMenu({ view }: { readonly view: View }) {
  const label = comparedWith[view.state.compare];
  return (
    <Menu label={<span className="menu-label">{label}</span>} name={rangeMenuWords.compare(label)} shortcut="compare">
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
