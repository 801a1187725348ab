import { Upload } from 'lucide-react';
import { useId, useState } from 'react';
import { columnLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { refresh } from '../../ask/refresh.ts';
import { sendFile } from '../../ask/send.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { Table } from '../../view/data-table.tsx';
import { SelectField } from '../../view/form.tsx';
import {
  type FilePreview,
  type ImportChoices,
  type ImportOutcome,
  importAddress,
  noChoices,
  previewLength,
  sendingOf,
  tableLabel,
  twiceMeant,
} from './import-questions.ts';
import { importFileWords, problemOf } from './import-words.ts';
import { ImportedFile } from './imported-file.tsx';

/** A file of records: chosen or dropped, its columns looked through, then imported. */
export default function ImportFile() {
  const [file, setFile] = useState<File>();
  const [preview, setPreview] = useState<FilePreview>();
  const [choices, setChoices] = useState(noChoices);
  const [outcome, setOutcome] = useState<ImportOutcome>();
  const looking = useAction();
  const importing = useAction();

  const look = (chosen: File, wanted: ImportChoices) =>
    looking.run(async () => {
      const length = previewLength(chosen);
      const more: Record<string, string> = length < chosen.size ? { is_part: 'true' } : {};
      const path = importAddress('/app/imports/preview', chosen.name, wanted, more);
      const found = await sendFile<FilePreview>(path, chosen.slice(0, length), sendingOf(chosen.name) ?? {});
      setPreview(found);
      setChoices({ ...wanted, table: found.table });
      return '';
    });
  const choose = (chosen: File | undefined) => {
    importing.clear();
    setPreview(undefined);
    setOutcome(undefined);
    setFile(chosen);
    setChoices(noChoices);
    if (chosen && problemOf(chosen) === undefined) void look(chosen, noChoices);
  };
  const change = (wanted: ImportChoices) => {
    setChoices(wanted);
    if (file) void look(file, wanted);
  };
  if (outcome && file) {
    return <ImportedFile name={file.name} outcome={outcome} onAgain={() => choose(undefined)} />;
  }
  const problem = file && problemOf(file);
  return (
    <div className="stack">
      <DropZone onFile={choose} chosen={file?.name} isBusy={looking.isBusy} />
      {problem && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      <ActionOutcome action={looking} />
      {file && preview && (
        <Mapping
          preview={preview}
          choices={choices}
          onChange={change}
          isBusy={importing.isBusy || looking.isBusy}
          onImport={() =>
            void importing.run(async () => {
              const path = importAddress('/app/imports', file.name, choices);
              setOutcome(await sendFile<ImportOutcome>(path, file, sendingOf(file.name) ?? {}));
              await refresh('/app/status', '/app/people', '/app/groups');
              return '';
            })
          }
        />
      )}
      {importing.isBusy && (
        <label className="field">
          <span>{importFileWords.importingLargeFilesTake}</span>
          <progress />
        </label>
      )}
      <ActionOutcome action={importing} />
    </div>
  );
}

interface DropProps {
  readonly onFile: (file: File | undefined) => void;
  readonly chosen: string | undefined;
  readonly isBusy: boolean;
}

function DropZone({ onFile, chosen, isBusy }: DropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  return (
    <label
      htmlFor={id}
      className={isOver ? 'drop-zone is-over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFile(event.dataTransfer.files[0]);
      }}
    >
      <Upload className="icon" aria-hidden="true" />
      <span>
        <strong>{isBusy ? importFileWords.readingFirstRows : importFileWords.chooseFileOrDrop}</strong>
        <span className="under small secondary">{chosen ? <code>{chosen}</code> : importFileWords.csvNdjsonJson}</span>
      </span>
      <input
        id={id}
        type="file"
        className="unseen"
        accept=".csv,.ndjson,.jsonl,.json,.parquet,.gz"
        onChange={(event) => {
          onFile(event.target.files?.[0]);
          // The same file may be chosen again once it is mended.
          event.target.value = '';
        }}
      />
    </label>
  );
}

/** No field is called so. */
const recognised = '-';

interface MappingProps {
  readonly preview: FilePreview;
  readonly choices: ImportChoices;
  readonly onChange: (choices: ImportChoices) => void;
  readonly onImport: () => void;
  readonly isBusy: boolean;
}

function Mapping({ preview, choices, onChange, onImport, isBusy }: MappingProps) {
  const { table, tables, columns, fields, rows, notes } = preview;
  const unknown = columns.filter(({ field }) => field === null).length;
  const bad = rows.filter(({ problem }) => problem !== null);
  const twice = twiceMeant(preview);
  const options = [
    ['', importFileWords.leave] as const,
    ...fields.map(
      ({ name, is_required }) =>
        [name, is_required ? importFileWords.needed(columnLabel(name)) : columnLabel(name)] as const,
    ),
  ];
  return (
    <>
      <div className="import-choices">
        <SelectField
          label={importFileWords.whatInThisFile}
          value={table}
          onChange={(value) => onChange({ ...choices, table: value, map: {} })}
          choices={tables.map((one) => [one, tableLabel(one)] as const)}
        />
        <SelectField
          label={importFileWords.daysSuchAs03}
          value={choices.dates}
          onChange={(value) => onChange({ ...choices, dates: value as ImportChoices['dates'] })}
          choices={[
            ['', importFileWords.thereNone],
            ['dmy', importFileWords.dayFirst],
            ['mdy', importFileWords.monthFirst],
          ]}
        />
      </div>
      {notes.map((note) => (
        <p key={note} className="secondary">
          {note}
        </p>
      ))}
      {unknown > 0 && <p className="secondary">{importFileWords.recognisedAndWill(unknown)}</p>}
      <Table
        caption={importFileWords.columnsFile}
        rows={columns}
        keyOf={({ heading }) => heading}
        columns={[
          { name: importFileWords.column, cell: ({ heading }) => <code>{heading}</code> },
          {
            name: importFileWords.firstValues,
            cell: ({ sample }) => <code className="import-sample">{sample.filter(Boolean).join(' · ') || '–'}</code>,
          },
          {
            name: importFileWords.becomes,
            cell: ({ heading, field }) => (
              <select
                className="input"
                aria-label={importFileWords.field(heading)}
                value={field ?? ''}
                onChange={(event) => {
                  const { [heading]: _before, ...others } = choices.map;
                  const { value } = event.target;
                  onChange({ ...choices, map: value === recognised ? others : { ...others, [heading]: value } });
                }}
              >
                {heading in choices.map && <option value={recognised}>{importFileWords.asRecognised}</option>}
                {field && !fields.some(({ name }) => name === field) && (
                  <option value={field}>{columnLabel(field)}</option>
                )}
                {options.map(([value, name]) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </select>
            ),
          },
        ]}
      />
      {twice.length > 0 && (
        <p className="bad">{importFileWords.twoColumnsBecomeLeave(twice.map(columnLabel).join(' and '))}</p>
      )}
      {bad.length > 0 && (
        <div>
          <p>{importFileWords.firstRowsCant(bad.length, rows.length)}</p>
          <ul className="small">
            {bad.slice(0, 5).map(({ line, problem }) => (
              <li key={line}>
                {importFileWords.line(line)} <code>{problem}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={isBusy || twice.length > 0 || bad.length === rows.length}
          onClick={onImport}
        >
          {importFileWords.import(tableLabel(table).toLowerCase())}
        </button>
        {bad.length > 0 && bad.length < rows.length && (
          <span className="small secondary">{importFileWords.restKeptAndYou}</span>
        )}
      </div>
    </>
  );
}
