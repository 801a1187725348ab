import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of the process, for Prometheus. No label names an organisation or a person. */
export class PrometheusMetrics {
  readonly #registry = new Registry();
  readonly #duration: Histogram<'method' | 'route' | 'status'>;
  readonly #wrongKeys: Counter;
  readonly #rateLimited: Counter;
  readonly #shed: Counter<'reason'>;
  readonly #slowReaders: Counter;
  readonly #messages: Counter<'medium' | 'state'>;
  /** Looking labels up takes longer than counting: what was counted before is found by one name. */
  readonly #durations = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();
  #inFlight = 0;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#duration = new Histogram({
      name: 'plumb_http_request_duration_seconds',
      help: 'From the arrival of a request to the end of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
      registers,
    });
    this.#wrongKeys = new Counter({
      name: 'plumb_http_authentication_failures_total',
      help: 'Requests with a missing or wrong key, and sign-in links that did not work.',
      registers,
    });
    this.#rateLimited = new Counter({
      name: 'plumb_http_rate_limited_total',
      help: 'Requests answered with 429.',
      registers,
    });
    this.#shed = new Counter({
      name: 'plumb_http_shed_total',
      help: 'Requests answered with 503 before anything was done for them.',
      labelNames: ['reason'],
      registers,
    });
    this.#slowReaders = new Counter({
      name: 'plumb_http_slow_readers_total',
      help: 'Answers that were ended because their readers took too little of them.',
      registers,
    });
    this.#messages = new Counter({
      name: 'plumb_message_tries_total',
      help: 'Tries to send a message, by medium and by what became of it: sent, queued for another try, or failed.',
      labelNames: ['medium', 'state'],
      registers,
    });
    const inFlight = () => this.#inFlight;
    new Gauge({
      name: 'plumb_http_requests_in_flight',
      help: 'Requests that have arrived and are not answered yet.',
      registers,
      collect() {
        this.set(inFlight());
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  requestArrived(): void {
    this.#inFlight += 1;
  }

  requestAnswered(method: string, route: string, status: number, seconds: number): void {
    this.#inFlight -= 1;
    const name = `${method} ${route} ${status}`;
    const known = this.#durations.get(name) ?? this.#duration.labels({ method, route, status });
    this.#durations.set(name, known);
    known.observe(seconds);
  }

  countWrongKey(): void {
    this.#wrongKeys.inc();
  }

  countRateLimited(): void {
    this.#rateLimited.inc();
  }

  countShed(reason: 'draining' | 'overloaded'): void {
    this.#shed.inc({ reason });
  }

  countSlowReader(): void {
    this.#slowReaders.inc();
  }

  countMessage(medium: string, state: 'queued' | 'sent' | 'failed'): void {
    this.#messages.inc({ medium, state });
  }

  /** Messages that wait to be sent, asked of the store when Prometheus asks. */
  watchMessages(waiting: () => Promise<number>): void {
    new Gauge({
      name: 'plumb_messages_waiting',
      help: 'Messages that wait to be sent, in all servers of the same store.',
      registers: [this.#registry],
      async collect() {
        // A store that is away must not hide all other metrics.
        this.set(await waiting().catch(() => Number.NaN));
      },
    });
  }

  /** Bytes that answers take on their way out. */
  watchAnswers({
    memoryBytes,
    diskBytes,
  }: {
    readonly memoryBytes: () => number;
    readonly diskBytes: () => number;
  }): void {
    const gauge = (name: string, help: string, bytes: () => number) =>
      new Gauge({
        name,
        help,
        registers: [this.#registry],
        collect() {
          this.set(bytes());
        },
      });
    gauge('plumb_answer_memory_bytes', 'Memory that is reserved for answers on their way out.', memoryBytes);
    gauge('plumb_answer_disk_bytes', 'Disk that is reserved for long answers that wait to be read.', diskBytes);
  }

  /** All metrics in the text form that Prometheus reads. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
