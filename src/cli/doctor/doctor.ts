import { ConfigError, readDoctorConfig } from '../../config/index.ts';
import { demoCredentials } from '../../demo/applications.ts';
import { startDemoService } from '../../demo/service.ts';
import type { RestSession } from '../../rest/session.ts';
import type { CommandOptions } from '../arguments.ts';
import { type CommandContext, INTERRUPTED, terminalOf } from '../context.ts';
import { loadEnvironment } from '../environment.ts';
import { askLine, askSecret, confirm } from '../terminal.ts';
import { checkConnection } from './connection.ts';
import {
  checkApplication,
  checkToken,
  checkTokenFormat,
  chooseAdministration,
  openSession,
} from './credentials.ts';
import { type Checkup, checkFilter, checkList, type FirstRows, LISTS, readFirstRows } from './lists.ts';
import { createReport, type Report } from './report.ts';

type DoctorOptions = CommandOptions<'doctor'>;
type TokenInputs = { readonly token: string; readonly administration: string | undefined };

export async function runDoctor(options: DoctorOptions, context: CommandContext): Promise<number> {
  const { env } = loadEnvironment(context.env, options.envFiles);
  const { stdout } = context;
  const names = LISTS.flatMap(({ resource, filters }) => [resource, ...filters].map(({ name }) => name));
  const nameWidth = Math.max(...names.map(({ length }) => length)) + 2;
  const report = createReport(stdout, nameWidth, stdout.isTTY === true && !env.NO_COLOR);
  context.onSignal(() => context.exit(INTERRUPTED));
  stdout.write('\nreceivables-graphql doctor\n\n');
  let unused = '';
  try {
    const resources = LISTS.map(({ resource }) => resource);
    unused = await checkAll(options, readDoctorConfig(env, resources), report, context);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) report.add('failed', 'configuration', fault);
  }
  report.paragraph(`${report.summary()} ${unused}`.trim());
  return unused === '' && report.counts.failed === 0 ? 0 : 1;
}

/** Returns why the checks that need a credential were skipped; empty if they were made. */
async function checkAll(
  options: DoctorOptions,
  { config, token: given }: ReturnType<typeof readDoctorConfig>,
  report: Report,
  context: CommandContext,
): Promise<string> {
  const embedded = 'REST_URL is embedded: doctor checks the embedded service, to show what it does';
  report.add('passed', 'configuration', config.restUrl ? `REST_URL is ${config.restUrl.href}` : embedded);
  const demo = config.restUrl ? undefined : await startDemoService();
  try {
    const url = config.restUrl ?? new URL(demo?.url ?? '');
    if (!(await checkConnection(url, config.restTimeoutMs, report)))
      return 'No credential was used, since the connection is not sound.';
    const { application, tokens } = demoCredentials;
    // The credentials of the embedded service are valid nowhere else, so it takes no permission to use them.
    const inputs = demo
      ? { token: given ?? tokens.companyA, administration: options.administration }
      : await askInputs(options, { host: url.host, given, hasApplication: !!config.application }, context);
    if (typeof inputs === 'string') return inputs;
    if (!checkTokenFormat(inputs.token, report)) return '';
    const session = openSession(url, { ...(demo && { application }), ...config }, inputs.token);
    await checkService(session, inputs, report).finally(() => session.client.close());
    return '';
  } finally {
    await demo?.close();
  }
}

/** The checks that need credentials. Calls are made one at a time. */
async function checkService(session: RestSession, { token, administration }: TokenInputs, report: Report) {
  const introspection = await checkApplication(session, token, report);
  const administrationId = chooseAdministration(administration, introspection?.administrations ?? [], report);
  if (administrationId === undefined) return;
  const checkup = { session, report, administrationId };
  const rows = await readFirstRows(checkup);
  checkToken(rows, introspection?.exp, report);
  const wrongNames = await checkLists(checkup, rows);
  if (wrongNames.length === 0) return;
  /** As configured, with a gap for each name that is wrong. */
  const names: Record<string, Record<string, string>> = structuredClone({ ...session.parameterNames });
  for (const [list, argument] of wrongNames) names[list] = { ...names[list], [argument]: '<its true name>' };
  report.paragraph('Put the names that the service has in place of the gaps, and set:');
  // To be copied, so it is not wrapped.
  report.code(`REST_PARAMETER_NAMES='${JSON.stringify(names)}'`);
}

/** Returns the lists and arguments whose parameters have other names than are sent. */
async function checkLists(checkup: Checkup, rows: FirstRows) {
  const wrongNames: [list: string, argument: string][] = [];
  for (const { resource, filters } of LISTS) {
    const unfiltered = rows.get(resource);
    if (!checkList(resource, unfiltered, checkup.report))
      wrongNames.push([resource.name, 'administrationId']);
    if (unfiltered === undefined || unfiltered.error) continue;
    for (const filter of filters) {
      const found = await checkFilter({ ...checkup, resource, filter, row: unfiltered.row });
      if (found === 'wrong name') wrongNames.push([resource.name, filter.name]);
      // It is not sent again.
      if (found === 'rejected token') return wrongNames;
    }
  }
  return wrongNames;
}

const WARNING = `
The service revokes a token that arrives from an address which is not on the IP
allow list of the token's application.`;
const NO_APPLICATION = `
REST_CLIENT_ID and REST_CLIENT_SECRET are not set, so neither \`viewer\` nor
\`companies\` will be checked, and the token will not tell what it reaches.
`;
const NO_TERMINAL =
  'No credential was used, since there is no terminal to ask at: pass --yes where this machine is on the IP allow list.';

/**
 * Asks for the token last, so that nobody types it for a run that then lacks something else. Returns why no credential
 * may be used, if so.
 */
async function askInputs(
  { yes, administration }: DoctorOptions,
  { host, given, hasApplication }: { host: string; given: string | undefined; hasApplication: boolean },
  context: CommandContext,
): Promise<TokenInputs | string> {
  const { stderr } = context;
  const terminal = terminalOf(context);
  const goOn = yes ? 'By --yes you have said that' : 'Go on only if';
  stderr.write(`${WARNING} ${goOn} the outgoing\naddress of this machine is on that list.\n`);
  if (!hasApplication) stderr.write(NO_APPLICATION);
  if (!yes && !terminal) return NO_TERMINAL;
  if (!yes && terminal && !(await confirm(`Use the credentials at ${host}? [y/N] `, terminal)))
    return 'No credential was used.';
  stderr.write('\n');
  if (given || !terminal) return { token: given ?? '', administration };
  const otherwise = hasApplication ? ' (empty: the first that the token reaches)' : '';
  const id = administration ?? (await askLine(`Id of the administration to read${otherwise}: `, terminal));
  return { administration: id || undefined, token: await askSecret('Bearer token (not shown): ', terminal) };
}
