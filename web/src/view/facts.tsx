import type { ReactNode } from 'react';
import './facts.css';

interface FactsProps {
  readonly title: string;
  readonly facts: readonly (readonly [string, ReactNode])[];
}

/** Facts about one thing, a line each. */
export function Facts({ title, facts }: FactsProps) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="secondary">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
