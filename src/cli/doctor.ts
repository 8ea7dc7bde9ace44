import type { Config } from '../config.ts';
import { demoCredentials } from '../demo/credentials.ts';
import { startDemoService } from '../demo/service.ts';
import { checkConfiguration } from '../doctor/configuration.ts';
import { examineConnection, examineService, namesToSet } from '../doctor/examine.ts';
import type { Finding, Step } from '../doctor/finding.ts';
import { type CheckedList, listsOf } from '../doctor/lists.ts';
import { openSession } from '../doctor/session.ts';
import { faultOfToken } from '../doctor/token.ts';
import { schema } from '../schema/index.ts';
import type { DoctorOptions } from './arguments.ts';
import { createReport, summary } from './report.ts';
import { askSecret, confirm, createProgress, type Terminal } from './terminal.ts';

const ALLOW_LIST = `
The service revokes a token that arrives from an address which is not on the IP
allow list of the token's application. Go on only where the outgoing address of
this machine is on that list.
`;

const UNSOUND = 'No credential was used, since the connection is not sound.';
const UNASKED =
  'No credential was used, since there is no terminal to ask at: pass --yes where this machine is on the IP allow list.';
const DECLINED = 'No credential was used.';

/** Everything that one run shares. */
interface Run {
  readonly options: DoctorOptions;
  readonly lists: readonly CheckedList[];
  readonly terminal: Terminal;
  readonly step: Step;
  readonly note: (finding: Finding) => void;
}

export async function runDoctor(options: DoctorOptions): Promise<void> {
  // Until it is known that nothing is wrong, however this ends.
  process.exitCode = 1;
  const progress = createProgress(process.stderr);
  const interrupt = () => {
    progress.clear();
    process.exit(130);
  };
  process.once('SIGINT', interrupt);

  const lists = listsOf(schema);
  const report = createReport(process.stdout, {
    names: lists.flatMap(({ resource, filters }) => [
      resource.name,
      ...filters.map(({ argument }) => `  ${argument}`),
    ]),
    colours: process.stdout.isTTY && !process.env.NO_COLOR,
  });
  const findings: Finding[] = [];
  const note = (finding: Finding) => {
    progress.clear();
    findings.push(finding);
    report.add(finding);
  };

  report.title('receivables-graphql doctor');
  const resources = lists.map(({ resource }) => resource);
  const { config, findings: configuration } = checkConfiguration(process.env, resources);
  configuration.forEach(note);
  const terminal = { input: process.stdin, output: process.stderr, interrupt };
  const step = (what: string) => progress.show(`  … ${what}`);
  const missed = config && (await examine({ options, lists, terminal, step, note }, config));
  progress.clear();

  const names = namesToSet(config?.parameterNames ?? {}, findings);
  if (names) {
    const text = 'Put the names that the service has in place of the gaps, and set:';
    report.paragraph(text, `REST_PARAMETER_NAMES='${JSON.stringify(names)}'`);
  }
  report.paragraph([summary(findings), missed ?? ''].join(' ').trim());
  const isWell = missed === undefined && findings.every(({ outcome }) => outcome !== 'failed');
  process.exitCode = isWell ? 0 : 1;
}

/** Why what needs a credential was not checked; undefined where it was. */
async function examine(run: Run, config: Config): Promise<string | undefined> {
  const demo = config.restUrl ? undefined : await startDemoService();
  try {
    const url = config.restUrl ?? new URL(demo?.url ?? '');
    if (!(await isConnectionSound(run, config, url))) return UNSOUND;
    // The embedded service's own credentials are worth nothing elsewhere, so nothing is at stake.
    if (demo) {
      const { tokens, application } = demoCredentials;
      const token = process.env.DOCTOR_TOKEN || tokens.companyA;
      return await examineWith(token, run, { application, ...config }, url);
    }
    const refusal = await askLeave(run, url);
    if (refusal !== undefined) return refusal;
    const token = process.env.DOCTOR_TOKEN || (await askToken(run));
    process.stderr.write('\n');
    return await examineWith(token, run, config, url);
  } finally {
    await demo?.close();
  }
}

async function isConnectionSound({ note, step }: Run, config: Config, url: URL): Promise<boolean> {
  let isSound = true;
  for await (const finding of examineConnection(url, config.restTimeoutMs, step)) {
    note(finding);
    isSound &&= finding.outcome !== 'failed';
  }
  return isSound;
}

/** Why the credentials may not be used; undefined where they may. */
async function askLeave({ options, terminal }: Run, url: URL): Promise<string | undefined> {
  process.stderr.write(ALLOW_LIST);
  if (options.yes) return undefined;
  if (!process.stdin.isTTY) return UNASKED;
  return (await confirm(`Use the credentials at ${url.host}? [y/N] `, terminal)) ? undefined : DECLINED;
}

async function askToken({ terminal }: Run): Promise<string> {
  return process.stdin.isTTY ? askSecret('Bearer token (not shown): ', terminal) : '';
}

async function examineWith(token: string, run: Run, config: Config, url: URL): Promise<undefined> {
  const { options, lists, step, note } = run;
  const fault = faultOfToken(token);
  if (fault) return void note(fault);
  const session = openSession(url, config, token);
  try {
    const { administration } = options;
    const found = examineService({ session, token, lists, administration, step });
    for await (const finding of found) note(finding);
  } finally {
    await session.client.close();
  }
}
