const name = 'plumb_http_request_duration_seconds';
const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30] as const;

interface Series {
  readonly labels: string;
  /** How many fell between one bound and the next; the last counts those above all bounds. */
  readonly counts: number[];
  sum: number;
}

/**
 * How long requests took, by method, route and status, in the form that Prometheus reads. prom-client's own histogram
 * puts the labels together anew for every request, at several times the price of looking them up.
 */
export class DurationHistogram {
  readonly #series = new Map<string, Series>();

  observe(method: string, route: string, status: number, seconds: number): void {
    const series = this.#seriesOf(method, route, status);
    let place = 0;
    while (place < bounds.length && seconds > (bounds[place] ?? 0)) place += 1;
    series.counts[place] = (series.counts[place] ?? 0) + 1;
    series.sum += seconds;
  }

  text(): string {
    const lines = [
      `# HELP ${name} From the arrival of a request to the end of its answer.`,
      `# TYPE ${name} histogram`,
      ...[...this.#series.values()].flatMap(({ labels, counts, sum }) => {
        let total = 0;
        const buckets = counts.map((count, place) => {
          total += count;
          return `${name}_bucket{le="${bounds[place] ?? '+Inf'}",${labels}} ${total}`;
        });
        return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`];
      }),
    ];
    return `${lines.join('\n')}\n`;
  }

  #seriesOf(method: string, route: string, status: number): Series {
    const key = `${status} ${method} ${route}`;
    const known = this.#series.get(key);
    if (known) return known;
    // Routes are patterns of ours and methods those that the parser knows: nothing to escape, and few of them.
    const labels = `method="${method}",route="${route}",status="${status}"`;
    const begun = { labels, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
    this.#series.set(key, begun);
    return begun;
  }
}
