import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { demoCredentials } from '../../src/demo/credentials.ts';
import { type DemoOptions, type DemoService, startDemoService } from '../../src/demo/service.ts';
import { examineService } from '../../src/doctor/examine.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { listsOf } from '../../src/doctor/lists.ts';
import { openSession } from '../../src/doctor/session.ts';
import { schema } from '../../src/schema/index.ts';

export const LISTS = listsOf(schema);
export const { tokens, application } = demoCredentials;

/** The application of the embedded service, as the environment gives it. */
export const APPLICATION = {
  REST_CLIENT_ID: application.clientId,
  REST_CLIENT_SECRET: application.clientSecret,
};

export async function startRest(options?: DemoOptions): Promise<DemoService> {
  const rest = await startDemoService(options);
  onTestFinished(() => rest.close());
  return rest;
}

export interface Patient {
  readonly env?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly administration?: string;
}

/** What is found at a service, from the application on. */
export async function examine(rest: DemoService, patient: Patient = {}): Promise<Finding[]> {
  const { env = {}, token = tokens.companyA, administration } = patient;
  const config = readConfig(
    env,
    LISTS.map(({ resource }) => resource),
  );
  const session = openSession(new URL(rest.url), config, token);
  const findings: Finding[] = [];
  const examination = { session, token, lists: LISTS, administration, step: () => {} };
  for await (const finding of examineService(examination)) findings.push(finding);
  await session.client.close();
  return findings;
}

/** The findings that are not as they should be, each in a line. */
export function amiss(findings: readonly Finding[]): string[] {
  return findings.filter(({ outcome }) => outcome !== 'passed').map(inLine);
}

export function inLine({ outcome, list, check, found }: Finding): string {
  return `${outcome} ${list ? `${list}.` : ''}${check}: ${found}`;
}

/** The finding of one check; a filter's is named with its list. */
export function findingOf(findings: readonly Finding[], name: string): Finding | undefined {
  return findings.find(({ list, check }) => (list ? `${list}.${check}` : check) === name);
}
