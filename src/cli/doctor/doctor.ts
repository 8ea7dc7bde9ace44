import type { Config } from '../../config/index.ts';
import { demoCredentials } from '../../demo/applications.ts';
import { startDemoService } from '../../demo/service.ts';
import { RestError } from '../../rest/errors.ts';
import type { RestSession } from '../../rest/session.ts';
import { schema } from '../../schema/index.ts';
import type { DoctorOptions, SettingsOptions } from '../arguments.ts';
import { type CommandContext, INTERRUPTED } from '../context.ts';
import { loadEnvironment } from '../environment.ts';
import { createProgress, type Terminal } from '../terminal.ts';
import { type CheckedConfiguration, checkConfiguration, checkConnection } from './connection.ts';
import {
  checkApplication,
  checkToken,
  checkTokenFormat,
  chooseAdministration,
  createRedactor,
  openSession,
} from './credentials.ts';
import { filterFinding, suggestParameterNames, testFilter } from './filters.ts';
import { type CheckedList, checkList, listsOf, readFirstRows } from './lists.ts';
import { askInputs, type TokenInputs } from './prompts.ts';
import { createReport, type Finding, type OnProgress, summary } from './report.ts';

/** Why the checks that need a credential were skipped. */
const CONNECTION_FAILED = 'No credential was used, since the connection is not sound.';

interface Context {
  readonly options: DoctorOptions;
  readonly lists: readonly CheckedList[];
  readonly terminal: Terminal;
  /** Whether somebody can answer there. */
  readonly isInteractive: boolean;
  readonly onProgress: OnProgress;
  readonly addFinding: (finding: Finding) => void;
}

/** Returns the exit status. */
export async function runDoctor(
  { envFiles, ...options }: DoctorOptions & SettingsOptions,
  command: CommandContext,
): Promise<number> {
  const { stdin, stdout, stderr } = command;
  const { env } = loadEnvironment(command.env, envFiles);
  const progress = createProgress(stderr);
  const interrupt = () => {
    progress.clear();
    command.exit(INTERRUPTED);
  };
  command.onSignal(interrupt);

  const lists = listsOf(schema);
  const report = createReport(stdout, {
    names: lists.flatMap(({ resource, filters }) => [
      resource.name,
      ...filters.map(({ argument }) => `  ${argument}`),
    ]),
    colours: stdout.isTTY === true && !env.NO_COLOR,
  });
  const findings: Finding[] = [];
  const addFinding = (finding: Finding) => {
    progress.clear();
    findings.push(finding);
    report.add(finding);
  };

  report.title('receivables-graphql doctor');
  const resources = lists.map(({ resource }) => resource);
  const { checked, findings: configuration } = checkConfiguration(env, resources);
  configuration.forEach(addFinding);
  const terminal = { input: stdin, output: stderr, interrupt };
  const onProgress = (subject: string) => progress.show(`  … ${subject}`);
  const isInteractive = stdin.isTTY === true;
  const context = { options, lists, terminal, isInteractive, onProgress, addFinding };
  const skipReason = checked && (await checkAll(context, checked));
  progress.clear();

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
  context: Context,
  { config, token }: CheckedConfiguration,
): Promise<string | undefined> {
  const demo = config.restUrl ? undefined : await startDemoService();
  try {
    const url = config.restUrl ?? new URL(demo?.url ?? '');
    if (!(await isConnectionOk(context, config, url))) return CONNECTION_FAILED;
    // The credentials of the embedded service are valid nowhere else, so it takes no permission to use them.
    if (demo) {
      const { tokens, application } = demoCredentials;
      const { administration } = context.options;
      const inputs = { token: token ?? tokens.companyA, administration };
      return await checkWithToken(inputs, context, { application, ...config }, url);
    }
    const inputs = await askInputs({
      options: context.options,
      host: url.host,
      token,
      hasApplication: config.application !== undefined,
      terminal: context.terminal,
      isInteractive: context.isInteractive,
    });
    if ('refusal' in inputs) return inputs.refusal;
    context.terminal.output.write('\n');
    return await checkWithToken(inputs, context, config, url);
  } finally {
    await demo?.close();
  }
}

async function isConnectionOk(
  { addFinding, onProgress }: Context,
  config: Config,
  url: URL,
): Promise<boolean> {
  let isOk = true;
  for await (const finding of checkConnection(url, config.restTimeoutMs, onProgress)) {
    addFinding(finding);
    isOk &&= finding.outcome !== 'failed';
  }
  return isOk;
}

async function checkWithToken(
  { token, administration }: TokenInputs,
  { lists, onProgress, addFinding }: Context,
  config: Config,
  url: URL,
): Promise<undefined> {
  const invalid = checkTokenFormat(token);
  if (invalid) return void addFinding(invalid);
  const session = openSession(url, config, token);
  try {
    const findings = checkService({ session, token, lists, administration, onProgress });
    for await (const finding of findings) addFinding(finding);
  } finally {
    await session.client.close();
  }
}

interface ServiceCheckOptions {
  readonly session: RestSession;
  readonly token: string;
  readonly lists: readonly CheckedList[];
  /** The administration to read from; if undefined, the first that the service shows. */
  readonly administration?: string | undefined;
  readonly onProgress: OnProgress;
}

/** The checks that need credentials, with secrets removed from their findings. Calls are made one at a time. */
export async function* checkService(options: ServiceCheckOptions): AsyncGenerator<Finding> {
  const redact = createRedactor(options.session);
  for await (const finding of runServiceChecks(options)) {
    const { message, advice } = finding;
    yield { ...finding, message: redact(message), ...(advice !== undefined && { advice: redact(advice) }) };
  }
}

async function* runServiceChecks(options: ServiceCheckOptions): AsyncGenerator<Finding> {
  const { session, token, lists, administration, onProgress } = options;
  onProgress('the application');
  const { finding, introspection } = await checkApplication(session, token);
  yield finding;

  onProgress('the administration');
  const choice = await chooseAdministration(session, lists, administration, introspection);
  yield choice.finding;
  const { id: administrationId } = choice;
  if (administrationId === undefined) return;

  const results = await readFirstRows(session, lists, administrationId, onProgress);
  const withToken = [...results].filter(([{ resource }]) => resource.credential === 'bearer');
  yield checkToken(
    session,
    withToken.map(([, result]) => result),
    introspection,
  );
  for (const list of lists) {
    const result = results.get(list);
    yield checkList(list, result);
    if (result === undefined || result.error) continue;
    for (const filter of list.filters) {
      onProgress(`${list.resource.name}.${filter.argument}`);
      const test = { list, filter, administrationId, row: result.row };
      const filterResult = await testFilter(session, test);
      yield filterFinding(session, test, filterResult);
      // A rejected token is not sent again.
      if (filterResult instanceof RestError && filterResult.code === 'UNAUTHENTICATED') return;
    }
  }
}
