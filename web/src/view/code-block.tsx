import { CopyButton } from './copy.tsx';
import './form.css';

/** A command or an address to copy. */
export function CodeBlock({
  text,
  label,
  name,
}: {
  readonly text: string;
  readonly label: string;
  readonly name: string;
}) {
  return (
    <figure className="code-figure" aria-label={name}>
      <pre className="code-block">{text}</pre>
      <div className="row">
        <CopyButton text={text} label={label} />
      </div>
    </figure>
  );
}
