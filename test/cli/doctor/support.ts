import { onTestFinished } from 'vitest';
import { openSession } from '../../../src/cli/doctor/credentials.ts';
import { checkService } from '../../../src/cli/doctor/doctor.ts';
import { LISTS } from '../../../src/cli/doctor/lists.ts';
import type { Finding } from '../../../src/cli/doctor/report.ts';
import { readConfig } from '../../../src/config/index.ts';
import { demoCredentials } from '../../../src/demo/applications.ts';
import { type DemoOptions, type DemoService, startDemoService } from '../../support/rest-service.mjs';
import { type CommandResult, run } from '../support.ts';

export const { tokens, application } = demoCredentials;

/** The environment that configures the application of the embedded service. */
export const APPLICATION = {
  REST_CLIENT_ID: application.clientId,
  REST_CLIENT_SECRET: application.clientSecret,
};

/** The environment that gives the command a token of the embedded service. */
export const TOKEN = { DOCTOR_TOKEN: tokens.companyA };

export async function startRest(options?: DemoOptions): Promise<DemoService> {
  const rest = await startDemoService(options);
  onTestFinished(() => rest.close());
  return rest;
}

/** Runs the command against a service, without a terminal. */
export function runDoctor(
  rest: DemoService,
  args: readonly string[],
  env: Record<string, string> = TOKEN,
): Promise<CommandResult> {
  return run(['doctor', ...args], { REST_URL: rest.url, ...env });
}

/** The marks and names of the printed table, without the messages. */
export function rows(output: string): string[] {
  return Array.from(output.matchAll(/^ {2}([✓✗–!]) +(\S+)/gm), ([, mark, name]) => `${mark} ${name}`);
}

export interface CheckOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly administration?: string;
}

/** The findings of all checks that need credentials. */
export async function check(rest: DemoService, options: CheckOptions = {}): Promise<Finding[]> {
  const { env = {}, token = tokens.companyA, administration } = options;
  const config = readConfig(
    env,
    LISTS.map(({ resource }) => resource),
  );
  const session = openSession(new URL(rest.url), config, token);
  const findings: Finding[] = [];
  const report = { add: (finding: Finding) => void findings.push(finding), checking() {} };
  await checkService(session, { token, administration }, report);
  await session.client.close();
  return findings;
}

/** The findings that did not pass, one line each. */
export function notPassed(findings: readonly Finding[]): string[] {
  return findings.filter(({ outcome }) => outcome !== 'passed').map(toLine);
}

export function toLine({ outcome, list, check, message }: Finding): string {
  return `${outcome} ${list ? `${list}.` : ''}${check}: ${message}`;
}

/** The finding of one check, named `check`, or `list.argument` for a filter. */
export function findingOf(findings: readonly Finding[], name: string): Finding | undefined {
  return findings.find(({ list, check }) => (list ? `${list}.${check}` : check) === name);
}
