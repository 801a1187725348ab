import { useEffect, useState } from 'react';
import { counted, grouped } from '../../view/format.ts';
import { PageLink } from '../../view/page-link.tsx';
import { type ImportOutcome, remarksOn, tableLabel } from './import-questions.ts';

interface ImportedProps {
  readonly name: string;
  readonly outcome: ImportOutcome;
  readonly onAgain: () => void;
}

/** What became of a file, with what was not kept of it as a file to mend. */
export function ImportedFile({ name, outcome, onAgain }: ImportedProps) {
  const { accepted, rejected, errors, rejects, rejects_cut, table } = outcome;
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (rejects === '') return;
    const made = URL.createObjectURL(new Blob([rejects], { type: 'application/x-ndjson' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [rejects]);
  return (
    <div className="stack" role="status">
      <p>
        <strong>
          {grouped(accepted)} of {counted(accepted + rejected, 'record', 'records')} imported
        </strong>{' '}
        as {tableLabel(table).toLowerCase()}. Importing the same file again changes nothing.
      </p>
      {remarksOn(outcome).map((remark) => (
        <p className="small" key={remark}>
          {remark}
        </p>
      ))}
      {rejected > 0 && (
        <>
          <ul className="small">
            {errors.slice(0, 5).map(({ line, detail }) => (
              <li key={`${line} ${detail}`}>
                Line {grouped(line)}: <code>{detail}</code>
              </li>
            ))}
            {rejected > 5 && <li>and {grouped(rejected - 5)} more</li>}
          </ul>
          {address && (
            <p>
              <a className="button" href={address} download={`${name}.rejects.ndjson`}>
                Download what wasn’t kept
              </a>
              {rejects_cut && ' (the first 4 MiB)'}
            </p>
          )}
        </>
      )}
      <div className="row">
        {accepted > 0 && (
          <PageLink className="button primary" to="/">
            Open the overview
          </PageLink>
        )}
        <button type="button" className="button" onClick={onAgain}>
          Import another file
        </button>
      </div>
    </div>
  );
}
