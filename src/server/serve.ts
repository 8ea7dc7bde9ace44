import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import { curlExample } from '../pages/examples.ts';
import type { LandingFacts } from '../pages/landing.ts';
import { probe } from '../rest/client/probe.ts';
import type { Details, Log } from '../telemetry/log.ts';
import { version } from '../version.ts';
import { listenAdmin } from './admin.ts';
import { hostsToOpen, type ListenAddress } from './listen.ts';
import { type Builds, ENDPOINT, restServiceOf } from './pages.ts';
import { createService, type ServiceOptions } from './service.ts';

export type Running = Awaited<ReturnType<typeof serve>>;
type Started = Pick<Running, 'url' | 'greeting' | 'log'>;

export async function serve(config: Config, builds: Builds, options?: ServiceOptions) {
  const service = await createService(config, builds, options);
  const { server, facts, log, endLog, adminPages } = service;
  const { host, port, adminPort } = config;
  const greeting = greetingAt(await server.listen(port, host), facts, config);
  const admin = adminPort === undefined ? undefined : await listenAdmin(adminPages, adminPort, host, log);
  return {
    ...greeting,
    adminPort: admin?.port,
    log,
    endLog,
    async stop(): Promise<void> {
      await service.stop();
      await admin?.close();
    },
  };
}

/** A log for machines has a line for the start; people get a greeting. Nobody waits for the REST service. */
export function announce({ url, greeting, log }: Started, config: Config, details: Details): void {
  const { restUrl, logLevel, logFormat } = config;
  const service = restUrl?.href;
  const restService = restServiceOf(config);
  if (logLevel === 'off' || logFormat === 'pretty') console.log(greeting);
  else log('info', `receivables-graphql is ready at ${url}`, { version, ...details, restService, service });
  if (restUrl && logLevel !== 'off') void warnIfUnreachable(restUrl, log);
}

async function warnIfUnreachable(restUrl: URL, log: Log): Promise<void> {
  const reach = await probe(restUrl);
  if (reach.kind === 'answered') return;
  const errorType = reach.kind === 'silent' ? 'answer_timeout' : reach.fault;
  log('warn', 'REST service cannot be reached: check REST_URL', { service: restUrl.href, errorType });
}

/** Where GraphQL can be reached from this machine, and what people are told who start it at a terminal. */
export function greetingAt({ address, port }: ListenAddress, facts: LandingFacts, { restUrl }: Config) {
  const urls = hostsToOpen(address).map((name) => `http://${name}:${port}${ENDPOINT}`);
  const [url = ''] = urls;
  const ready = `receivables-graphql is ready at ${urls.join('\n  and at ')}\n`;
  const service = restUrl ? `It uses the REST service at ${restUrl.href}\n` : embeddedGreeting(url, facts);
  return { url, greeting: ready + service };
}

function embeddedGreeting(url: string, { trusted, example }: LandingFacts): string {
  const { tokens, application } = demoCredentials;
  const invitation = trusted
    ? 'It runs only the documents in TRUSTED_DOCUMENTS. Send their hashes, for example'
    : 'Open the address in a browser, or run';
  return `
It uses an embedded REST service with made-up data. To use a real one, set REST_URL.
  bearer token   ${tokens.companyA}
  application    ${application.clientId} : ${application.clientSecret}

${invitation}:

${curlExample(url, example, trusted)}
`;
}

/** `timeout`, for one, signals a process and then its group: signals that come together are one. */
const TOGETHER_MS = 100;

/** The first signal lets running operations finish; the second ends the process at once. `more` are further signals. */
export function onStopSignal(stop: () => void, stopAtOnce: () => void, more: readonly string[] = []): void {
  let stoppingSince: number | undefined;
  const receive = () => {
    const now = performance.now();
    if (stoppingSince === undefined) {
      stoppingSince = now;
      stop();
    } else if (now - stoppingSince > TOGETHER_MS) {
      stopAtOnce();
    }
  };
  // Windows has no SIGTERM: there, supervisors stop a process group with Ctrl-Break.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK', ...more]) process.on(signal, receive);
}
