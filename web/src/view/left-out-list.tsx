import type { Figure } from '../ask/figure.ts';
import { useExplanation } from '../ask/use-answer.ts';
import { explanationWords } from './answer-words.ts';
import { grouped } from './format.ts';
import { leftOutWords } from './left-out-words.ts';

/** The records that each figure leaves out. Loaded when the reader opens it. */
export default function LeftOutList({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl>
      {figures.map((figure) => (
        <LeftOutOf key={figure.label} figure={figure} />
      ))}
    </dl>
  );
}

function LeftOutOf({ figure: { label, spec, question } }: { readonly figure: Figure }) {
  const { data, error } = useExplanation(question);
  const values = data?.values;
  const lines = values ? leftOutWords(spec.metric, values.left_out) : [];
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {error
          ? error.message
          : !values
            ? explanationWords.looking
            : explanationWords.counted(grouped(values.used), lines)}
      </dd>
    </>
  );
}
