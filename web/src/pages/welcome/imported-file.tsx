import { useEffect, useState } from 'react';
import { PageLink } from '../../view/page-link.tsx';
import { type ImportOutcome, tableLabel } from './import-questions.ts';
import { importedFileWords, remarksOn } from './import-words.ts';

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
        <strong>{importedFileWords.imported(accepted, accepted + rejected)}</strong>{' '}
        {importedFileWords.asImportingSameFile(tableLabel(table).toLowerCase())}
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
                {importedFileWords.line(line)} <code>{detail}</code>
              </li>
            ))}
            {rejected > 5 && <li>{importedFileWords.andMore(rejected - 5)}</li>}
          </ul>
          {address && (
            <p>
              <a className="button" href={address} download={`${name}.rejects.ndjson`}>
                {importedFileWords.downloadWhatWasntKept}
              </a>
              {rejects_cut && importedFileWords.first4Mib}
            </p>
          )}
        </>
      )}
      <div className="row">
        {accepted > 0 && (
          <PageLink className="button primary" to="/">
            {importedFileWords.openOverview}
          </PageLink>
        )}
        <button type="button" className="button" onClick={onAgain}>
          {importedFileWords.importAnotherFile}
        </button>
      </div>
    </div>
  );
}
