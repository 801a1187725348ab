import { useLayoutEffect, useRef, useState } from 'react';
import './timeline.css';
import { timelineWords } from './deployment-words.ts';
import { type TimelineClock, type TimelineEvent, timelineLayout } from './timeline-layout.ts';

interface TimelineProps {
  readonly name: string;
  readonly events: readonly TimelineEvent[];
  readonly clocks: readonly TimelineClock[];
}

/** On narrower screens names do not fit beside each other, and events are listed one under another. */
const roomForLine = 460;

/** The events from left to right, with the clocks as brackets above them. */
export function Timeline({ name, events, clocks }: TimelineProps) {
  const host = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const isLine = width >= roomForLine;
  return (
    <figure className="timeline-figure" aria-label={name}>
      <div ref={host}>{isLine && <Line events={events} clocks={clocks} width={width} />}</div>
      <div className={isLine ? 'unseen' : undefined}>
        <ol className="timeline-list">
          {events
            .filter(({ isMain }) => isMain)
            .map(({ key, label, time }) => (
              <li key={key}>
                <b>{label}</b> <span className="secondary">{time}</span>
              </li>
            ))}
        </ol>
        <ul className="timeline-clocks">
          {clocks.map((clock) => (
            <li key={clock.name}>
              <span className={`swatch ${colourOf(clock)}`} />
              {clock.name} <b>{clock.value}</b>
            </li>
          ))}
        </ul>
      </div>
    </figure>
  );
}

function Line({ events, clocks, width }: Omit<TimelineProps, 'name'> & { readonly width: number }) {
  const layout = timelineLayout(events, clocks, width);
  return (
    <>
      <div className="timeline" style={{ height: layout.height }} aria-hidden="true">
        {layout.clocks.map(({ clock, left, width: wide, top, label }) => (
          <div key={clock.name} title={`${clock.name} ${clock.value}: ${clock.rule}`}>
            <span className="timeline-clock-name" style={{ left: label.left, top: label.top, width: label.width }}>
              {clock.name} <b>{clock.value}</b>
            </span>
            <span className={`timeline-bracket ${colourOf(clock)}`} style={{ left, top, width: wide }} />
          </div>
        ))}
        <span className="timeline-line" style={{ top: layout.line }} />
        {layout.breaks.map((x) => (
          <span
            key={x}
            className="timeline-break"
            style={{ left: x, top: layout.line }}
            title={timelineWords.notToScale}
          />
        ))}
        {layout.events.map(({ event, x, label }) => (
          <div key={event.key} title={`${event.label}, ${event.time}`}>
            {label && label.row > 0 && (
              <span className="timeline-stem" style={{ left: x, top: layout.line, height: 12 + label.row * 36 }} />
            )}
            <span className={event.isMain ? 'timeline-mark' : 'timeline-dot'} style={{ left: x, top: layout.line }} />
            {label && (
              <span
                className="timeline-label"
                style={{ left: label.left, top: layout.line + 12 + label.row * 36, width: label.width }}
              >
                <b>{event.label}</b>
                <span className="secondary">{event.time}</span>
              </span>
            )}
          </div>
        ))}
      </div>
      {!layout.isToScale && (
        <p className="subtitle timeline-note">{timelineWords.stepsInTheirOrder(layout.breaks.length)}</p>
      )}
    </>
  );
}

const colourOf = ({ colour }: TimelineClock): string => (colour ? `colour-${colour}` : 'colour-text');
