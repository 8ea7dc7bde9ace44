import type { Config } from '../config/index.ts';
import { demoCredentials } from '../demo/applications.ts';
import { version } from '../package.ts';
import { curlExample } from '../pages/examples.ts';
import { probe } from '../rest/client/probe.ts';
import { proxyFor } from '../rest/client/proxy.ts';
import { getDisplaySettings } from '../server/pages.ts';
import type { RunningServer } from '../server/serve.ts';
import type { Details } from '../telemetry/log.ts';

const { tokens, application } = demoCredentials;

/** Logs the start, or prints a greeting for people, and warns if the REST service cannot be reached. */
export async function logStartup(
  { url, log }: Pick<RunningServer, 'url' | 'log'>,
  config: Config,
  extra: Details,
) {
  const { restUrl, logLevel, logFormat } = config;
  const { restService } = getDisplaySettings(config);
  const service = restUrl?.href;
  const proxy = restUrl && proxyFor(restUrl, config);
  const details = { version, ...extra, restService, service, proxy: proxy?.origin };
  if (logLevel === 'off' || logFormat === 'pretty') console.log(createGreeting(url, config));
  else log('info', `receivables-graphql is ready at ${url}`, details);
  if (restUrl === undefined || logLevel === 'off') return;
  const errorType = await probe(restUrl, proxy);
  if (!errorType) return;
  const setting = errorType.startsWith('proxy_') ? 'HTTPS_PROXY' : 'REST_URL';
  log('warn', `REST service cannot be reached: check ${setting}`, { service, errorType });
}

/** Returns a greeting for the terminal. */
export function createGreeting(url: string, config: Config): string {
  const { trusted, example } = getDisplaySettings(config);
  const hint = trusted ? 'Send the hash of a trusted document' : 'Open the address in a browser, or run';
  const embedded = `
It uses an embedded REST service with made-up data. To use a real one, set REST_URL.
  bearer token   ${tokens.companyA}
  application    ${application.clientId} : ${application.clientSecret}

${hint}:

${curlExample(url, example, trusted)}
`;
  const { restUrl } = config;
  const proxy = restUrl && proxyFor(restUrl, config);
  const route = proxy ? ` through the proxy ${proxy.origin}` : '';
  const service = restUrl ? `It uses the REST service at ${restUrl.href}${route}\n` : embedded;
  return `receivables-graphql is ready at ${url}\n${service}`;
}
