import { ConfigError, readDoctorConfig } from '../../config/index.ts';
import { demoCredentials } from '../../demo/applications.ts';
import { startDemoService } from '../../demo/service.ts';
import { type OptionValues, parseCommand } from '../arguments.ts';
import { ask, type CommandContext, INTERRUPTED, watchOutput } from '../context.ts';
import { loadEnvironment } from '../environment.ts';
import { isToken } from '../gateway.ts';
import { checkConnection } from './connection.ts';
import { checkApplication, checkToken, openSession } from './credentials.ts';
import { checkLists, RESOURCES } from './lists.ts';
import { createReport, type Report } from './report.ts';

export async function runDoctor(args: readonly string[], context: CommandContext): Promise<number> {
  const options = parseCommand('doctor', args).values;
  const { env } = loadEnvironment(context.env, options['env-file']);
  const { stdout } = context;
  watchOutput(context, 1);
  const report = createReport(stdout, stdout.isTTY === true && !env.NO_COLOR);
  context.onSignal(() => context.exit(INTERRUPTED));
  stdout.write('\nreceivables-graphql doctor\n\n');
  let unused = '';
  try {
    unused = await checkAll(options, readDoctorConfig(env, RESOURCES), report, context);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) report.failed('configuration', fault);
  }
  report.paragraph(`${report.summary()} ${unused}`.trim());
  return unused === '' && report.counts.failed === 0 ? 0 : 1;
}

/** Returns why the checks that need a credential were skipped; empty if they were made. */
async function checkAll(
  options: OptionValues<'doctor'>,
  { config, token: given }: ReturnType<typeof readDoctorConfig>,
  report: Report,
  context: CommandContext,
): Promise<string> {
  const embedded = 'REST_URL is embedded: doctor checks the embedded service, to show what it does';
  report.passed('configuration', config.restUrl ? `REST_URL is ${config.restUrl.href}` : embedded);
  const demo = config.restUrl ? undefined : await startDemoService();
  try {
    const url = config.restUrl ?? new URL(demo?.url ?? '');
    if (!(await checkConnection(url, config.restTimeoutMs, report)))
      return 'No credential was used, since the connection is not sound.';
    // The credentials of the embedded service are valid nowhere else, so it takes no permission to use them.
    const unused = demo ? '' : await askPermission(url, options.yes === true, context);
    if (unused) return unused;
    const { application, tokens } = demoCredentials;
    // The token last, so that nobody types it for a run that then lacks something else.
    let { administration } = options;
    if (!administration && !given && !demo && !config.application)
      administration = await ask('Id of the administration to read: ', context);
    const known = given ?? (demo && tokens.companyA);
    const token = known ?? (await ask('Bearer token (not shown): ', context, true));
    if (!isToken(token)) {
      const advice = 'Set DOCTOR_TOKEN to a bearer token, alone, in one line and without `Bearer`.';
      report.failed('token', 'not given, or it holds a character that no token has', advice);
      return '';
    }
    const session = openSession(url, { ...(demo && { application }), ...config }, token);
    await checkService(session, token, administration, report).finally(() => session.service.client.close());
    return '';
  } finally {
    await demo?.close();
  }
}

/** The checks that need credentials. Calls are made one at a time. */
async function checkService(
  session: ReturnType<typeof openSession>,
  token: string,
  requested: string | undefined,
  report: Report,
): Promise<void> {
  const reached = await checkApplication(session, token, report);
  const administrationId = requested || reached?.administration;
  if (administrationId === undefined)
    return report.failed('administration', 'none is known', 'Pass --administration <id>.');
  report.passed('administration', `reads from ${administrationId}`);
  checkToken(await checkLists({ session, administrationId, report }), reached?.expiresAt, report);
  if (report.wrongNames.length === 0) return;
  /** As configured, with a gap for each name that is wrong. */
  const names: Record<string, Record<string, string>> = structuredClone({
    ...session.service.parameterNames,
  });
  for (const [list, argument] of report.wrongNames)
    names[list] = { ...names[list], [argument]: '<its true name>' };
  report.paragraph('Put the names that the service has in place of the gaps, and set:');
  // To be copied, so it is not wrapped.
  report.code(`REST_PARAMETER_NAMES='${JSON.stringify(names)}'`);
}

/** Returns why no credential may be used, if so. */
async function askPermission({ host }: URL, yes: boolean, context: CommandContext): Promise<string> {
  const goOn = yes ? 'By --yes you have said that' : 'Go on only if';
  context.stderr.write(`
The service revokes a token that arrives from an address which is not on the IP
allow list of the token's application. ${goOn} the outgoing
address of this machine is on that list.\n\n`);
  if (yes) return '';
  if (!context.stdin.isTTY)
    return 'No credential was used, since there is no terminal to ask at: pass --yes where this machine is on the IP allow list.';
  const answer = await ask(`Use the credentials at ${host}? [y/N] `, context);
  return /^y(es)?$/i.test(answer) ? '' : 'No credential was used.';
}
