import { Ellipsis } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Panel } from '../ask/panel-of.ts';
import { exportWords } from './answer-words.ts';
import type { ExportProps } from './export-items.tsx';
import { Menu } from './menu.tsx';

const loadItems = () => import('./export-items.tsx');
const ExportItems = lazy(loadItems);
const AddToBoard = lazy(() => import('./add-to-board.tsx'));

/** Takes an answer elsewhere: as a file, a picture, a link or a request, or to a board. */
export function ExportMenu(props: ExportProps) {
  const { name, className = 'link small', views } = props;
  const [said, setSaid] = useState('');
  const [isDone, setDone] = useState(false);
  const [added, setAdded] = useState<Panel>();
  // What was copied is said for a moment; what went wrong stays until the next try.
  useEffect(() => {
    if (!isDone || said === '') return;
    const timer = setTimeout(() => setSaid(''), 2_000);
    return () => clearTimeout(timer);
  }, [said, isDone]);
  const trigger = views
    ? { label: <Ellipsis className="icon" />, isIcon: true, name: exportWords.more(name), className: 'icon-button' }
    : { label: said === '' ? exportWords.export : said, name: exportWords.exportOf(name), className };
  return (
    <>
      {views && (
        <span className="small secondary export-said" role="status">
          {said}
        </span>
      )}
      <Menu {...trigger} align="end" onOpen={() => void loadItems()}>
        {(close) => (
          <Suspense fallback={<div className="skeleton menu-part" />}>
            <ExportItems
              {...props}
              close={close}
              onSaid={(text, wasDone) => {
                setDone(wasDone);
                setSaid(text);
              }}
              onAdd={setAdded}
            />
          </Suspense>
        )}
      </Menu>
      {added && (
        <Suspense>
          <AddToBoard panel={added} onClose={() => setAdded(undefined)} />
        </Suspense>
      )}
    </>
  );
}
