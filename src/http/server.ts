import { tmpdir } from 'node:os';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Authentication } from '../access/authentication.ts';
import type { LastUsed } from '../access/last-used.ts';
import type { SensitiveReads } from '../access/sensitive-reads.ts';
import type { Directory } from '../directory/directory.ts';
import type { Listings } from '../directory/listings.ts';
import type { Goals } from '../goals/goal-standings.ts';
import type { Ingest } from '../ingest/ingest.ts';
import { AnswerMemory } from '../query/answer-memory.ts';
import type { Metrics } from '../query/answer-metric.ts';
import { Admission } from './admission/admission.ts';
import { ArrivalDeadlines } from './admission/arrival-deadlines.ts';
import { answerBrokenRequests } from './admission/broken-requests.ts';
import { Load, type LoadLimits } from './admission/load-shedding.ts';
import { OwnAddress, sessionCookie } from './admission/own-address.ts';
import { RateLimits } from './admission/rate-limits.ts';
import { CrossOrigin } from './admission/response-headers.ts';
import type { AnswerSenderParts } from './answer/answer-sender.ts';
import { compressAnswer } from './answer/compression.ts';
import { LongAnswers, type ReadingPace } from './answer/long-answers.ts';
import { MetricQuestions } from './answer/metric-questions.ts';
import { type BodyLimits, bodyBudget } from './body/buffered-body.ts';
import { acceptOnlyJson } from './body/json-body.ts';
import { bodyTurns, maxRecordBytes } from './body/request-body.ts';
import { compileWhenNeeded, refusalOf } from './body/request-validation.ts';
import { Drain, drainOnClose } from './drain.ts';
import { errorHandler, maxBodyBytes } from './errors.ts';
import { KnownPaths, readablePath, routableUrl } from './known-paths.ts';
import { describeRoutes } from './openapi.ts';
import { type AppRouteParts, appRoutes } from './pages/app-routes.ts';
import { errorRenderer, pagesRoutes } from './pages/built-pages.ts';
import { importRoutes } from './pages/import-routes.ts';
import { type SessionRouteParts, sessionRoutes } from './pages/session-routes.ts';
import { type SignInParts, signInRoutes } from './pages/sign-in-routes.ts';
import { type StopRouteParts, stopRoutes } from './pages/stop-routes.ts';
import type { PrometheusMetrics } from './prometheus.ts';
import { RequestLog, requestIdOf } from './request-log.ts';
import { type AlertRouteParts, alertRoutes } from './routes/alert-routes.ts';
import { type AnnotationRouteParts, annotationRoutes } from './routes/annotation-routes.ts';
import { type BoardRouteParts, boardRoutes } from './routes/board-routes.ts';
import { catalogueRoutes } from './routes/catalogue-routes.ts';
import { type DataQualityRouteParts, dataQualityRoutes } from './routes/data-quality-routes.ts';
import { type DigestRouteParts, digestRoutes } from './routes/digest-routes.ts';
import { documentationRoutes } from './routes/documentation-routes.ts';
import { type GoalRouteParts, goalRoutes } from './routes/goal-routes.ts';
import { healthRoutes } from './routes/health-routes.ts';
import { ingestRoutes } from './routes/ingest-routes.ts';
import { mcpRoutes } from './routes/mcp-routes.ts';
import { metricChartRoutes } from './routes/metric-chart-route.ts';
import { metricsRoutes } from './routes/metric-routes.ts';
import { offboardedUsersRoutes } from './routes/offboarding-routes.ts';
import { onboardedUsersRoutes } from './routes/onboarding-routes.ts';
import { posthookIngestRoutes } from './routes/posthook-routes.ts';
import { teamsRoutes } from './routes/team-routes.ts';
import { type WebhookRouteParts, webhookRoutes } from './routes/webhook-routes.ts';

/** The parts that the HTTP interface is built from. */
export interface HttpParts {
  readonly authentication: Pick<Authentication, 'authenticate' | 'authenticateSession' | 'known' | 'recognise'>;
  readonly sessions: SessionRouteParts['sessions'] & AppRouteParts['sessions'];
  readonly signedInPerson: SessionRouteParts['signedInPerson'];
  readonly listings: Pick<Listings, 'teams' | 'onboardedUsers'>;
  readonly directory: Directory;
  readonly ingest: Pick<Ingest, 'put' | 'putPosted' | 'divideSurveys'>;
  readonly metrics: Pick<Metrics, 'admit' | 'single' | 'multiple' | 'benchmark' | 'explain'>;
  readonly warehouse: AnswerSenderParts['warehouse'] & AppRouteParts['warehouse'];
  readonly reads: Pick<SensitiveReads, 'note'>;
  readonly signIns: SignInParts['signIns'] & AppRouteParts['signIns'];
  readonly passwordSignIn: SignInParts['passwordSignIn'] & SessionRouteParts['passwordSignIn'];
  readonly choices: SignInParts['choices'];
  readonly openid: SignInParts['openid'];
  readonly dataQuality: DataQualityRouteParts['dataQuality'];
  readonly webhooks: WebhookRouteParts['webhooks'];
  readonly stopLinks: StopRouteParts['stopLinks'];
  readonly keys: AppRouteParts['keys'];
  readonly roster: AppRouteParts['roster'];
  readonly pinnedBoards: AppRouteParts['pinnedBoards'];
  readonly notifications: AppRouteParts['notifications'];
  readonly documents: BoardRouteParts['documents'] &
    GoalRouteParts['documents'] &
    AnnotationRouteParts['documents'] &
    AlertRouteParts['documents'] &
    DigestRouteParts['documents'];
  readonly alerts: AlertRouteParts['alerts'];
  readonly goals: GoalRouteParts['goals'] & Pick<Goals, 'list'>;
  readonly sources: AppRouteParts['sources'];
  readonly syncs: AppRouteParts['syncs'];
  readonly dataStatuses: AppRouteParts['dataStatuses'];
  readonly attention: AppRouteParts['attention'];
  readonly matchSuggestions: AppRouteParts['matchSuggestions'];
  readonly backUp: AppRouteParts['backUp'];
  readonly lastUsed: Pick<LastUsed, 'note'>;
  readonly now: () => Date;
  readonly responses: AnswerSenderParts['responses'];
  readonly dataExtents: AnswerSenderParts['dataExtents'];
  /** Throws when the store is away. */
  readonly ready: () => Promise<void>;
  readonly settings: {
    /** Requests a minute for each key; 0 for no limit of any kind. */
    readonly rateLimit: number;
    readonly trustProxy: boolean | readonly string[];
    /** Where people find this service, where it is not the address that requests come to. */
    readonly publicUrl?: string | undefined;
    /** Pages of these origins may ask with a key. */
    readonly corsOrigins?: readonly string[] | undefined;
  };
  readonly logger: FastifyBaseLogger;
  readonly prometheus?: PrometheusMetrics;
  /** Shared with the admin server, so that both know of a shutdown. */
  readonly drain?: Drain;
  readonly load?: Partial<LoadLimits>;
  /** The memory of answers until they are sent: the same that metrics are answered with. */
  readonly answerMemory?: AnswerMemory;
  /** How quickly long answers have to be read. */
  readonly readingPace?: Partial<ReadingPace>;
  /** How often pages that listen hear something. */
  readonly livePace?: AppRouteParts['pace'];
  /** How long a request may take to arrive, unless it brings records. */
  readonly arrivalMs?: number;
  /** The deadline for requests that bring records, where it is not the default. */
  readonly arrival?: Partial<BodyLimits>;
  /** Where the pages were built to, where that is not beside the server. */
  readonly pagesFolder?: string;
  /** Where large bodies wait until they have arrived whole: by default the system's folder for temporary files. */
  readonly spoolFolder?: string;
  /** How many records or rows a body may have, where it is not the default. */
  readonly maxRecords?: number;
}

/** A line of 50 KB a second is three times as fast; the rate is that of a modem of thirty years ago. */
const arrivalLimits: BodyLimits = { maxBytes: maxRecordBytes, patienceMs: 30_000, bytesASecond: 16_384 };

/** The whole interface, ready to listen. */
export async function buildApp(parts: HttpParts): Promise<FastifyInstance> {
  const { settings, logger, prometheus, now } = parts;
  const drain = parts.drain ?? new Drain();
  const load = new Load(parts.load);
  const log = new RequestLog(logger, prometheus);
  const answerMemory = parts.answerMemory ?? new AnswerMemory();
  const long = new LongAnswers({ log, memory: answerMemory, prometheus, pace: parts.readingPace });
  const limits = new RateLimits(settings.rateLimit, prometheus);

  const app: FastifyInstance = fastify({
    // The framework's own logger would make a child and two listeners for each request, to write lines that nobody
    // needs beside ours: an empty route answers a tenth more requests without it.
    logger: false,
    genReqId: requestIdOf,
    trustProxy: typeof settings.trustProxy === 'boolean' ? settings.trustProxy : [...settings.trustProxy],
    rewriteUrl: routableUrl,
    bodyLimit: maxBodyBytes,
    // The draining answer of the framework has another body; ours comes from the first check.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 20_000 },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: false,
        allowUnionTypes: true,
        // Puts the schema beside a violation, which is where the known names are.
        verbose: true,
      },
    },
    schemaController: { compilersFactory: { buildValidator: compileWhenNeeded } },
    schemaErrorFormatter: refusalOf,
    frameworkErrors: errorHandler(log),
    clientErrorHandler: (error, socket) => brokenRequests(error, socket),
    // A caller has ten seconds for its headers: that is what slow senders live from. The limits of what follows them are
    // kept by the deadlines below, since a body of records may take any time as long as it moves.
    requestTimeout: 0,
    connectionTimeout: 120_000,
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      // Two Authorization headers become one that is no key. Node would quietly take the first.
      joinDuplicateHeaders: true,
      // Node's own answer to a missing Host header has no body.
      requireHostHeader: false,
    },
  });
  // Types vouch for the answers. The schemas describe them, and a second serializer could only differ.
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  const address = new OwnAddress(settings.publicUrl);
  const cookie = sessionCookie(address);
  app.setErrorHandler(errorHandler(log, errorRenderer(cookie, parts.pagesFolder)));
  drainOnClose(app, drain);
  app.addHook('onClose', async () => load.close());

  const paths = new KnownPaths(app);
  const brokenRequests = answerBrokenRequests(app, paths);
  acceptOnlyJson(app);
  const behindProxy = settings.trustProxy !== false;
  const { authentication, lastUsed } = parts;
  const deadlines = new ArrivalDeadlines(app.server, parts.arrivalMs);
  const admission = new Admission({
    authentication,
    address,
    cookie,
    crossOrigin: new CrossOrigin(settings.corsOrigins ?? []),
    lastUsed,
    limits,
    load,
    drain,
    deadlines,
    paths,
    log,
    prometheus,
    behindProxy,
    now,
  });
  admission.guard(app);
  app.setNotFoundHandler((request) => {
    // Only files of the reference and of the pages come here: everything else that is not there ends at the first checks.
    throw paths.missing(readablePath(request.raw.url ?? '/'));
  });

  await describeRoutes(app);
  await app.register(async (open) => {
    open.addHook('onSend', compressAnswer);
    healthRoutes(open, { drain, ready: parts.ready });
    documentationRoutes(open, { now, paths, pagesFolder: parts.pagesFolder });
  });
  await app.register(async (pages) => signInRoutes(pages, { ...parts, admission, address, cookie, limits, log }));
  await app.register(async (pages) => stopRoutes(pages, { ...parts, limits, log }));
  await app.register(async (pages) => {
    pages.addHook('onSend', compressAnswer);
    await pagesRoutes(pages, { ...parts, admission });
  });
  const arrival = {
    limits: { ...arrivalLimits, ...parts.arrival },
    room: bodyBudget(),
    folder: parts.spoolFolder ?? tmpdir(),
  };
  const turns = bodyTurns();
  await app.register(async (scope) => webhookRoutes(scope, { ...parts, deadlines, arrival, turns }));
  await app.register(async (known) => {
    known.addHook('onRequest', admission.authenticate);
    known.addHook('onSend', compressAnswer);
    const questions = new MetricQuestions({ ...parts, long, answerMemory });
    await known.register(async (scope) => metricsRoutes(scope, questions));
    metricChartRoutes(known, questions, { ...parts, long, answerMemory, log });
    catalogueRoutes(known, { long });
    onboardedUsersRoutes(known, { ...parts, long });
    offboardedUsersRoutes(known, parts);
    teamsRoutes(known, { ...parts, long });
    dataQualityRoutes(known, { ...parts, long });
    await known.register(async (scope) => boardRoutes(scope, { ...parts, long }));
    await known.register(async (scope) => goalRoutes(scope, { ...parts, long }));
    await known.register(async (scope) => annotationRoutes(scope, { ...parts, long }));
    await known.register(async (scope) => alertRoutes(scope, { ...parts, long }));
    await known.register(async (scope) => digestRoutes(scope, { ...parts, long }));
  });
  await app.register(async (keyed) => {
    keyed.addHook('onRequest', admission.authenticateKey);
    await keyed.register(async (scope) => ingestRoutes(scope, { ...parts, drain, deadlines, arrival, turns }));
    await keyed.register(async (scope) => posthookIngestRoutes(scope, { ...parts, deadlines, arrival, turns }));
    mcpRoutes(keyed, { ...parts, address, long, log });
  });
  await app.register(async (signedIn) => {
    signedIn.addHook('onRequest', admission.authenticateSession);
    sessionRoutes(signedIn, { ...parts, address, cookie });
    appRoutes(signedIn, { ...parts, address, long, pace: parts.livePace });
    await signedIn.register(async (scope) => importRoutes(scope, { ...parts, drain, deadlines, arrival, turns }));
  });
  await app.ready();
  return app;
}
