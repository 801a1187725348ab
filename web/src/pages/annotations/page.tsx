import { useState } from 'react';
import type { AnnotationDocument } from '../../ask/annotations.ts';
import {
  isChangedMeanwhile,
  type Listed,
  makeDocument,
  putDocument,
  readDocument,
  removeDocument,
  type Tagged,
  useDocuments,
} from '../../ask/stored-documents.ts';
import { ActionOutcome, useAction } from '../../view/action.tsx';
import { ConfirmButton } from '../../view/confirm.tsx';
import { Table } from '../../view/data-table.tsx';
import { shownDay, shownWindow } from '../../view/format.ts';
import { Page } from '../../view/page.tsx';
import { useMayShare } from '../../view/seen-by.tsx';
import { Answered } from '../../view/states.tsx';
import { showToast } from '../../view/toast.tsx';
import { AnnotationForm } from './annotation-form.tsx';
import { annotationWords, kindWords } from './words.ts';

type ListedAnnotation = AnnotationDocument & Listed;

/** What happened: the flags on charts, newest first. */
export default function Annotations() {
  const answer = useDocuments<AnnotationDocument>('annotations');
  const mayMark = useMayShare();
  const [edited, setEdited] = useState<Tagged<AnnotationDocument>>();
  const [made, setMade] = useState(0);
  const slugs = (answer.data ?? []).map(({ annotation = '' }) => annotation);
  return (
    <Page
      title={annotationWords.title}
      hasControls={false}
      hasRecords={false}
      sentence={mayMark ? annotationWords.sentence : `${annotationWords.sentence} ${annotationWords.onlyManagers}`}
    >
      <Answered answer={answer} what={annotationWords.theList}>
        {(annotations) => <AnnotationList annotations={annotations} onEdit={setEdited} />}
      </Answered>
      {edited ? (
        <EditCard key={edited.etag} edited={edited} onDone={() => setEdited(undefined)} />
      ) : (
        mayMark && (
          <section className="card" aria-labelledby="mark">
            <header>
              <h2 id="mark">{annotationWords.mark}</h2>
            </header>
            <AnnotationForm
              key={made}
              verb={annotationWords.make}
              onSave={async (annotation) => {
                await makeDocument('annotations', annotation.title, annotation, slugs);
                showToast({ text: annotationWords.made(annotation.title) });
                setMade(made + 1);
                return '';
              }}
            />
          </section>
        )
      )}
    </Page>
  );
}

interface EditCardProps {
  readonly edited: Tagged<AnnotationDocument>;
  readonly onDone: () => void;
}

function EditCard({ edited: { document: annotation, etag }, onDone }: EditCardProps) {
  return (
    <section className="card" aria-labelledby="edit">
      <header>
        <h2 id="edit">{annotationWords.edit(annotation.title)}</h2>
      </header>
      <AnnotationForm
        annotation={annotation}
        verb={annotationWords.save}
        onCancel={onDone}
        onSave={async (changed) => {
          try {
            await putDocument('annotations', annotation.annotation ?? '', changed, etag);
          } catch (problem) {
            const isChanged = isChangedMeanwhile(problem as { readonly status: number });
            throw isChanged ? new Error(annotationWords.changedMeanwhile) : problem;
          }
          showToast({ text: annotationWords.saved(changed.title) });
          onDone();
          return '';
        }}
      />
    </section>
  );
}

interface AnnotationListProps {
  readonly annotations: readonly ListedAnnotation[];
  readonly onEdit: (annotation: Tagged<AnnotationDocument>) => void;
}

function AnnotationList({ annotations, onEdit }: AnnotationListProps) {
  const action = useAction();
  const newest = annotations.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  const edit = (slug: string) =>
    action.run(async () => {
      onEdit(await readDocument<AnnotationDocument>('annotations', slug));
      return '';
    });
  const remove = ({ annotation: slug = '', title }: AnnotationDocument) =>
    action.run(async () => {
      const { document } = await readDocument<AnnotationDocument>('annotations', slug);
      await removeDocument('annotations', slug);
      const undo = async () => {
        await putDocument('annotations', slug, document);
        return annotationWords.back(title);
      };
      showToast({ text: annotationWords.removed(title), undo });
      return '';
    });
  return (
    <section className="card" aria-label={annotationWords.list}>
      <ActionOutcome action={action} />
      {newest.length === 0 ? (
        <p className="secondary">{annotationWords.none}</p>
      ) : (
        <Table
          caption={annotationWords.list}
          rows={newest}
          keyOf={({ annotation }) => annotation ?? ''}
          columns={[
            { name: annotationWords.event, cell: ({ title }) => title, sortBy: ({ title }) => title },
            { name: annotationWords.day, cell: daysOf, sortBy: ({ at }) => at },
            { name: annotationWords.kind, cell: ({ kind }) => kindWords[kind] },
            { name: annotationWords.about, cell: aboutWords },
            {
              name: annotationWords.actions,
              cell: (one) =>
                one.may_change ? (
                  <span className="row">
                    <button
                      type="button"
                      className="link"
                      aria-label={annotationWords.edit(one.title)}
                      onClick={() => void edit(one.annotation ?? '')}
                    >
                      {annotationWords.change}
                    </button>
                    <ConfirmButton
                      label={annotationWords.remove}
                      name={annotationWords.removeName(one.title)}
                      className="link danger"
                      title={annotationWords.removeTitle(one.title)}
                      verb={annotationWords.remove}
                      onConfirm={() => void remove(one)}
                    >
                      <p>{annotationWords.removeMore}</p>
                    </ConfirmButton>
                  </span>
                ) : (
                  '–'
                ),
            },
            { name: annotationWords.owner, cell: ({ owner }) => owner?.name ?? '–' },
          ]}
        />
      )}
    </section>
  );
}

const daysOf = ({ at, until }: AnnotationDocument): string =>
  until && until !== at ? shownWindow({ start: at, end: until }) : shownDay(at);

const aboutWords = ({ filters = {} }: AnnotationDocument): string =>
  Object.values(filters)
    .flat()
    .map((value) => String(value))
    .join(', ') || annotationWords.everyone;
