import { GripVertical, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { panelViews } from '../../../../src/boards/board.ts';
import type { Panel } from '../../ask/panel-of.ts';
import { boardEditWords } from '../../view/board-words.ts';
import { CheckField, SelectField, TextField } from '../../view/form.tsx';

interface PanelToolsProps {
  /** What finds the handle again after the panel has moved. */
  readonly handle: string;
  readonly panel: Panel;
  readonly title: string;
  readonly onChange: (change: Partial<Panel>) => void;
  /** A key on the handle; whether it meant something. */
  readonly onKey: (key: string) => boolean;
  /** The handle is dragged over another panel. */
  readonly onDragOver: (handle: string) => void;
  readonly onRemove: () => void;
}

/** What a panel can be changed by. It is moved with its handle, by pointer or by arrow keys. */
export function PanelTools({ handle, panel, title, onChange, onKey, onDragOver, onRemove }: PanelToolsProps) {
  const [isDragged, setDragged] = useState(false);
  return (
    <fieldset className={`panel-tools ${isDragged ? 'is-dragged' : ''}`} aria-label={boardEditWords.panel(title)}>
      <div className="row panel-tools-head">
        <button
          type="button"
          className="icon-button panel-handle"
          data-handle={handle}
          aria-label={boardEditWords.move(title)}
          title={boardEditWords.moveHint}
          onKeyDown={(event) => {
            if (onKey(event.key)) event.preventDefault();
          }}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            setDragged(true);
          }}
          onPointerMove={(event) => {
            if (!isDragged) return;
            const other = handleAt(event.clientX, event.clientY);
            if (other !== undefined) onDragOver(other);
          }}
          onPointerUp={() => setDragged(false)}
          onPointerCancel={() => setDragged(false)}
        >
          <GripVertical className="icon" aria-hidden="true" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={boardEditWords.remove(title)}
          title={boardEditWords.removeLabel}
          onClick={onRemove}
        >
          <Trash2 className="icon" aria-hidden="true" />
        </button>
      </div>
      <TextField
        label={boardEditWords.panelTitle}
        value={panel.title ?? ''}
        placeholder={title}
        maxLength={200}
        onChange={(text) => onChange({ title: text })}
      />
      <SelectField
        label={boardEditWords.shownAs}
        value={panel.view}
        choices={panelViews.map((view) => [view, boardEditWords.views[view]] as const)}
        onChange={(chosen) => {
          const view = panelViews.find((one) => one === chosen);
          if (view) onChange({ view });
        }}
      />
      <CheckField label={boardEditWords.wide} value={panel.wide ?? false} onChange={(wide) => onChange({ wide })} />
      <CheckField
        label={boardEditWords.compare}
        value={panel.compare ?? false}
        onChange={(compare) => onChange({ compare })}
      />
    </fieldset>
  );
}

/** The handle of the panel that is at a place of the window. */
function handleAt(x: number, y: number): string | undefined {
  const panel = document.elementFromPoint(x, y)?.closest('.board-panel');
  return panel?.querySelector<HTMLElement>('[data-handle]')?.dataset.handle;
}
