import { useRef, useState } from 'react';
import { counted } from '../../view/format.ts';
import { mayDrop, shownLines, type TreeLine, treeStep } from './tree.ts';
import { treeListWords } from './words.ts';

interface TreeListProps {
  readonly lines: readonly TreeLine[];
  readonly chosen: string | undefined;
  readonly onChoose: (line: TreeLine) => void;
  /** Absent where the reader may not change it. */
  readonly onMove?: (dragged: TreeLine, onto: TreeLine) => void;
}

/** A tree for arrow keys as well as for the pointer: Tab reaches one line, arrows reach the others. */
export function TreeList({ lines, chosen, onChoose, onMove }: TreeListProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [dragged, setDragged] = useState<TreeLine>();
  const [over, setOver] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const shown = shownLines(lines, closed);
  const reachable = shown.some(({ key }) => key === chosen) ? chosen : shown[0]?.key;
  const toggle = (key: string) => {
    const next = new Set(closed);
    if (!next.delete(key)) next.add(key);
    setClosed(next);
  };
  const focusOn = (at: number) => {
    const line = shown[at];
    if (!line) return;
    onChoose(line);
    list.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[at]?.focus();
  };
  return (
    <div className="tree" role="tree" aria-label={treeListWords.teamsAndSquads} ref={list}>
      {shown.map((line, at) => (
        <div
          key={line.key}
          role="treeitem"
          aria-level={line.depth + 1}
          aria-selected={line.key === chosen}
          {...(line.hasBelow ? { 'aria-expanded': !closed.has(line.key) } : {})}
          tabIndex={line.key === reachable ? 0 : -1}
          className={`tree-item ${over === line.key ? 'is-over' : ''}`}
          style={{ paddingLeft: 8 + line.depth * 20 }}
          draggable={onMove !== undefined && line.kind !== 'department'}
          onDragStart={() => setDragged(line)}
          onDragEnd={() => {
            setDragged(undefined);
            setOver(undefined);
          }}
          onDragOver={(event) => {
            if (!dragged || !mayDrop(lines, dragged, line)) return;
            event.preventDefault();
            setOver(line.key);
          }}
          onDrop={() => dragged && onMove?.(dragged, line)}
          onClick={() => {
            onChoose(line);
            if (line.hasBelow && line.kind === 'department') toggle(line.key);
          }}
          onKeyDown={(event) => {
            const step = treeStep(shown, at, event.key, closed);
            if (event.key === 'Enter' || event.key === ' ') onChoose(line);
            else if (!step) return;
            else if ('toggle' in step) toggle(step.toggle);
            else focusOn(step.to);
            event.preventDefault();
          }}
        >
          <span className="tree-mark" aria-hidden="true">
            {line.hasBelow ? (closed.has(line.key) ? '▸' : '▾') : ''}
          </span>
          <span>{line.name}</span>
          <span className="small secondary">{describe(line)}</span>
        </div>
      ))}
    </div>
  );
}

const describe = ({ kind, count }: TreeLine): string =>
  kind === 'department' ? counted(count, 'team', 'teams') : `${kind}, ${counted(count, 'person', 'people')}`;
