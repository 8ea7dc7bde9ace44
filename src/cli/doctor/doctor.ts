import { ConfigError, readDoctorConfig } from '../../config/index.ts';
import { demoCredentials } from '../../demo/applications.ts';
import { startDemoService } from '../../demo/service.ts';
import { basicAuthorization } from '../../request/credentials.ts';
import { createRestCache } from '../../rest/cache/rest-cache.ts';
import { createRestClient } from '../../rest/client/client.ts';
import { proxyFor } from '../../rest/client/proxy.ts';
import { RestError } from '../../rest/errors.ts';
import { getAdministrations, introspect } from '../../rest/oauth.ts';
import { RestSession } from '../../rest/session.ts';
import { RESOURCES } from '../../schema/index.ts';
import { loadEnvironment, type ParsedArguments, type Runner } from '../arguments.ts';
import { isToken } from '../gateway.ts';
import { type CommandContext, INTERRUPTED, prompt, watchOutput } from '../terminal.ts';
import { checkConnection } from './connection.ts';
import { checkLists, getMessage, type Outcomes } from './lists.ts';
import { checkRedis } from './redis.ts';
import { createReport, type Report } from './report.ts';

export const runDoctor: Runner<'doctor'> = async ({ values: options }, context) => {
  const { env } = loadEnvironment(context.env, options['env-file']);
  const { stdout } = context;
  watchOutput(context, 1);
  const report = createReport(stdout, stdout.isTTY === true && !env.NO_COLOR);
  context.onSignal(() => context.exit(INTERRUPTED));
  stdout.write('\nreceivables-graphql doctor\n\n');
  let skipReason = '';
  try {
    skipReason = await checkAll(options, readDoctorConfig(env, RESOURCES), report, context);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.faults) report.failed('configuration', problem);
  }
  const { passed, failed, warned, skipped } = report.counts;
  const summary = `${passed} passed, ${failed} failed, ${warned} warnings, ${skipped} skipped.`;
  report.paragraph(`${summary} ${skipReason}`.trim());
  return skipReason === '' && failed === 0 ? 0 : 1;
};

/** Returns why the checks that need a credential were skipped, or an empty text. */
async function checkAll(
  options: ParsedArguments<'doctor'>['values'],
  { config, token: configured }: ReturnType<typeof readDoctorConfig>,
  report: Report,
  context: CommandContext,
): Promise<string> {
  const embedded = 'REST_URL is embedded: doctor checks the embedded service as an example';
  const proxy = config.restUrl && proxyFor(config.restUrl, config);
  const route = proxy ? `, through the proxy ${proxy.origin}` : '';
  report.passed('configuration', config.restUrl ? `REST_URL is ${config.restUrl.href}${route}` : embedded);
  if (config.sharing) await checkRedis(config.sharing.redisUrl, report);
  const demo = config.restUrl ? undefined : await startDemoService();
  try {
    const url = config.restUrl ?? new URL(demo?.url ?? '');
    if (!(await checkConnection(url, proxy, config.restTimeoutMs, report)))
      return 'No credential was used, because the connection failed its checks.';
    // The credentials of the embedded service are valid nowhere else, so it takes no permission to use them.
    const skipReason = demo ? '' : await askPermission(url, proxy, options.yes === true, context);
    if (skipReason) return skipReason;
    const availableToken = configured ?? (demo && demoCredentials.tokens.companyA);
    const application = config.application ?? (demo && demoCredentials.application);
    // Ask for the token last, so that nobody types it for a run that then fails.
    let { administration } = options;
    if (!administration && !availableToken && !application)
      administration = await prompt('Id of the administration to read: ', context);
    const token = availableToken ?? (await prompt('Bearer token (not shown): ', context, { isSecret: true }));
    if (!isToken(token)) {
      const advice = 'Set DOCTOR_TOKEN to a bearer token, alone, in one line and without `Bearer`.';
      report.failed('token', 'missing, or it contains a character that is not allowed', advice);
      return '';
    }
    const basic = application && basicAuthorization(application.clientId, application.clientSecret);
    const client = createRestClient({ url, proxy, timeoutMs: config.restTimeoutMs });
    const session = new RestSession(
      { client, cache: createRestCache(0), parameterNames: config.parameterNames },
      { credentials: { bearer: `Bearer ${token}`, ...(basic && { basic }) }, limitKey: 'doctor' },
    );
    await checkService(session, token, administration, report).finally(() => client.close());
    return '';
  } finally {
    await demo?.close();
  }
}

async function checkService(
  session: RestSession,
  token: string,
  requested: string | undefined,
  report: Report,
): Promise<void> {
  const introspected = await checkApplication(session, token, report);
  const administrationId = requested || introspected?.administration;
  if (administrationId === undefined)
    return report.failed('administration', 'unknown', 'Pass --administration <id>.');
  report.passed('administration', `reads from ${administrationId}`);
  checkToken(await checkLists({ session, administrationId, report }), introspected?.expiresAt, report);
  if (report.wrongNames.length === 0) return;
  const names: Record<string, object> = { ...session.service.parameterNames };
  for (const [list, argument] of report.wrongNames)
    names[list] = { ...names[list], [argument]: '<its name in the service>' };
  report.paragraph('Replace the placeholders with the names of the service, and set:');
  // Not wrapped, so that it can be copied.
  report.code(`REST_PARAMETER_NAMES='${JSON.stringify(names)}'`);
}

async function askPermission({ host }: URL, proxy: URL | undefined, yes: boolean, context: CommandContext) {
  context.stderr.write(`
The service revokes a token that arrives from an address which is not on the IP
allow list of the token's application. The outgoing address of ${proxy ? 'the proxy' : 'this machine'} has
to be on that list.\n\n`);
  if (yes) return '';
  if (!context.stdin.isTTY)
    return 'No credential was used, because there is no terminal to ask at: pass --yes if that address is on the IP allow list.';
  const answer = await prompt(`Use the credentials at ${host}? [y/N] `, context);
  return /^y(es)?$/i.test(answer) ? '' : 'No credential was used.';
}

/** Introspects the token as `viewer` does, with the application that the gateway is configured with. */
async function checkApplication(session: RestSession, token: string, report: Report) {
  const check = 'application';
  if (session.options.credentials.basic === undefined)
    return void report.skipped(
      check,
      'REST_CLIENT_ID and REST_CLIENT_SECRET are not set; `viewer` needs them',
    );
  try {
    const introspection = await introspect(session, token, 'introspection');
    if (!introspection.active)
      return void report.warned(
        check,
        'accepted, but it does not know the token',
        'The token has expired, or belongs to another application: `viewer` works only for tokens of this one.',
      );
    const administrations = getAdministrations(introspection) ?? [];
    const names = administrations.slice(0, 10).map(({ internalId, name }) => `${internalId} (${name})`);
    report.passed(check, `accepted; the token reaches ${names.join(', ') || 'no administration'}`);
    return { administration: administrations[0]?.internalId, expiresAt: introspection.expiresAt };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const isRejected = error.code === 'UNAUTHENTICATED';
    report.failed(check, getMessage(error), isRejected ? 'Check REST_CLIENT_ID and REST_CLIENT_SECRET.' : '');
    return undefined;
  }
}

function checkToken(outcomes: Outcomes, expiresAt: string | null | undefined, report: Report): void {
  const forbidden = outcomes.find((error) => error?.code === 'FORBIDDEN');
  const rejected = outcomes.find((error) => error?.code === 'UNAUTHENTICATED');
  const onAllowList = 'the address that connections leave from is on the IP allow list of its application';
  if (rejected && forbidden) {
    // The service accepted the token before. Only its message may name the address that it saw.
    const message = `the service has just revoked it: ${getMessage(forbidden)}`;
    report.failed('token', message, `Make sure that ${onAllowList}, and get a new token.`);
  } else if (rejected) {
    const advice = 'Check that it is complete, and has not expired or been revoked.';
    report.failed('token', getMessage(rejected), advice);
  } else if (outcomes.includes(undefined)) {
    report.passed('token', `accepted${expiresAt ? `; it expires at ${expiresAt}` : ''}`);
  } else if (outcomes.every((error) => error?.code === 'FORBIDDEN')) {
    const advice = `Check its scopes, that it reaches the administration, and that ${onAllowList}.`;
    report.failed('token', 'it cannot read any list', advice);
  } else report.skipped('token', 'not checked: no list can be read');
}
