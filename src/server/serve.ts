import type { AddressInfo } from 'node:net';
import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import { curlExample } from '../pages/examples.ts';
import { ENDPOINT } from '../pages/route.ts';
import { probe } from '../rest/client/probe.ts';
import type { Details, Log } from '../telemetry/log.ts';
import { version } from '../version.ts';
import { listenAdmin } from './node-server.ts';
import { createService, factsOf, type ServiceOptions } from './service.ts';

export type Running = Awaited<ReturnType<typeof serve>>;

export async function serve(config: Config, options?: ServiceOptions) {
  const { server, log, endLog, operators, stop } = await createService(config, options);
  const greeting = greetingAt(await server.listen(config.port, config.host), config);
  const admin = await listenAdmin(operators, config);
  return {
    ...greeting,
    adminPort: admin?.port,
    log,
    endLog,
    stop: () => stop().finally(() => admin?.close()),
  };
}

/** A log for machines has a line for the start; people get a greeting. Nobody waits for the REST service. */
export async function announce(
  { url, greeting, log }: { url: string; greeting: string; log: Log },
  config: Config,
  details: Details,
): Promise<void> {
  const { restUrl, logLevel, logFormat } = config;
  const service = restUrl?.href;
  const more = { version, ...details, restService: factsOf(config).restService, service };
  if (logLevel === 'off' || logFormat === 'pretty') console.log(greeting);
  else log('info', `receivables-graphql is ready at ${url}`, more);
  if (restUrl === undefined || logLevel === 'off') return;
  const reach = await probe(restUrl);
  if (reach.kind === 'answered') return;
  const errorType = reach.kind === 'silent' ? 'answer_timeout' : reach.fault;
  log('warn', 'REST service cannot be reached: check REST_URL', { service, errorType });
}

/** Where GraphQL can be reached from this machine, and what people are told who start it at a terminal. */
export function greetingAt({ address, port }: AddressInfo, config: Config) {
  // A wildcard is an address to listen on, and none to open.
  const isLocal = ['127.0.0.1', '0.0.0.0', '::'].includes(address);
  const host = isLocal ? 'localhost' : address.includes(':') ? `[${address}]` : address;
  const url = `http://${host}:${port}${ENDPOINT}`;
  const { restUrl } = config;
  const { tokens, application } = demoCredentials;
  const { trusted, example } = factsOf(config);
  const invitation = trusted
    ? 'It runs only the documents in TRUSTED_DOCUMENTS. Send their hashes, for example'
    : 'Open the address in a browser, or run';
  const embedded = `
It uses an embedded REST service with made-up data. To use a real one, set REST_URL.
  bearer token   ${tokens.companyA}
  application    ${application.clientId} : ${application.clientSecret}

${invitation}:

${curlExample(url, example, trusted)}
`;
  const service = restUrl ? `It uses the REST service at ${restUrl.href}\n` : embedded;
  return { url, greeting: `receivables-graphql is ready at ${url}\n${service}` };
}

/** `timeout`, for one, signals a process and then its group: signals that come together are one. */
const TOGETHER_MS = 100;

/** The first signal lets running operations finish; the second ends the process at once. `more` are further signals. */
export function onStopSignal(stop: () => unknown, stopAtOnce: () => unknown, ...more: string[]): void {
  let since: number | undefined;
  const receive = () => {
    if (since === undefined) stop();
    since ??= performance.now();
    if (performance.now() - since > TOGETHER_MS) stopAtOnce();
  };
  // Windows has no SIGTERM: there, supervisors stop a process group with Ctrl-Break.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGBREAK', ...more]) process.on(signal, receive);
}
