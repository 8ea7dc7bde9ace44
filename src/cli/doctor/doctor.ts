import type { readDoctorConfig } from '../../config/index.ts';
import { demoCredentials } from '../../demo/applications.ts';
import { startDemoService } from '../../demo/service.ts';
import { RestError } from '../../rest/errors.ts';
import type { RestSession } from '../../rest/session.ts';
import type { CommandOptions } from '../arguments.ts';
import { type CommandContext, INTERRUPTED, terminalOf } from '../context.ts';
import { loadEnvironment } from '../environment.ts';
import { checkConfiguration, checkConnection } from './connection.ts';
import {
  checkApplication,
  checkToken,
  checkTokenFormat,
  chooseAdministration,
  createRedactor,
  openSession,
} from './credentials.ts';
import { filterFinding, suggestParameterNames, testFilter } from './filters.ts';
import { checkList, LISTS, readFirstRows } from './lists.ts';
import { askInputs, type TokenInputs } from './prompts.ts';
import { createReport, type Findings, summary } from './report.ts';

type DoctorOptions = CommandOptions<'doctor'>;

export async function runDoctor(options: DoctorOptions, command: CommandContext): Promise<number> {
  const { env } = loadEnvironment(command.env, options.envFiles);
  const report = createReport(command, {
    names: LISTS.flatMap(({ resource, filters }) => [
      resource.name,
      ...filters.map(({ name }) => `  ${name}`),
    ]),
    colours: command.stdout.isTTY === true && !env.NO_COLOR,
  });
  command.onSignal(() => {
    report.clear();
    command.exit(INTERRUPTED);
  });

  report.title('receivables-graphql doctor');
  const resources = LISTS.map(({ resource }) => resource);
  const checked = checkConfiguration(env, resources, report);
  const skipReason = checked && (await checkAll(options, checked, report, command));
  report.clear();

  const { findings } = report;
  const names = suggestParameterNames(checked?.config.parameterNames ?? {}, findings);
  if (names) {
    const text = 'Put the names that the service has in place of the gaps, and set:';
    report.paragraph(text, `REST_PARAMETER_NAMES='${JSON.stringify(names)}'`);
  }
  report.paragraph([summary(findings), skipReason ?? ''].join(' ').trim());
  const isOk = skipReason === undefined && findings.every(({ outcome }) => outcome !== 'failed');
  return isOk ? 0 : 1;
}

/** Returns why the checks that need a credential were skipped; undefined if they were made. */
async function checkAll(
  { yes, administration }: DoctorOptions,
  { config, token: given }: ReturnType<typeof readDoctorConfig>,
  findings: Findings,
  context: CommandContext,
): Promise<string | undefined> {
  const demo = config.restUrl ? undefined : await startDemoService();
  const hasApplication = config.application !== undefined;
  const { stderr: output } = context;
  try {
    const url = config.restUrl ?? new URL(demo?.url ?? '');
    if (!(await checkConnection(url, config.restTimeoutMs, findings)))
      return 'No credential was used, since the connection is not sound.';
    const terminal = terminalOf(context);
    // The credentials of the embedded service are valid nowhere else, so it takes no permission to use them.
    const inputs = demo
      ? { token: given ?? demoCredentials.tokens.companyA, administration }
      : await askInputs({ yes, administration, host: url.host, given, hasApplication, output, terminal });
    if (typeof inputs === 'string') return inputs;
    if (!demo) output.write('\n');
    const invalid = checkTokenFormat(inputs.token);
    if (invalid) return void findings.add(invalid);
    const { application } = demo ? demoCredentials : {};
    const session = openSession(url, { ...(application && { application }), ...config }, inputs.token);
    try {
      await checkService(session, inputs, findings);
    } finally {
      await session.client.close();
    }
    return undefined;
  } finally {
    await demo?.close();
  }
}

/** The checks that need credentials, with secrets removed from their findings. Calls are made one at a time. */
export async function checkService(
  session: RestSession,
  { token, administration }: TokenInputs,
  { add, checking }: Findings,
): Promise<void> {
  const redact = createRedactor(session);
  const findings: Findings = {
    add: ({ message, advice, ...finding }) =>
      add({ ...finding, message: redact(message), advice: advice && redact(advice) }),
    checking,
  };
  checking('the application');
  const introspection = await checkApplication(session, token, findings);
  checking('the administration');
  const administrationId = await chooseAdministration(session, administration, introspection, findings);
  if (administrationId === undefined) return;

  const results = await readFirstRows(session, administrationId, findings);
  findings.add(checkToken(session, results, introspection));
  for (const list of LISTS) {
    const result = results.get(list);
    findings.add(checkList(list, result));
    if (result === undefined || result.error) continue;
    for (const filter of list.filters) {
      checking(`${list.resource.name}.${filter.name}`);
      const test = { session, resource: list.resource, filter, administrationId, row: result.row };
      const filterResult = await testFilter(test);
      findings.add(filterFinding(test, filterResult));
      // A rejected token is not sent again.
      if (filterResult instanceof RestError && filterResult.code === 'UNAUTHENTICATED') return;
    }
  }
}
