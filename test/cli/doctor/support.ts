import { demoCredentials } from '../../../src/demo/applications.ts';
import type { DemoService } from '../../support/rest-service.mjs';
import { type CommandResult, run } from '../support.ts';

export const { tokens, application } = demoCredentials;

export const APPLICATION = {
  REST_CLIENT_ID: application.clientId,
  REST_CLIENT_SECRET: application.clientSecret,
};

export const TOKEN = { DOCTOR_TOKEN: tokens.companyA };

export function runDoctor(
  rest: Pick<DemoService, 'url'>,
  args: readonly string[],
  env: Record<string, string> = TOKEN,
): Promise<CommandResult> {
  return run(['doctor', ...args], { REST_URL: rest.url, ...env });
}

export function rows(output: string): string[] {
  return Array.from(output.matchAll(/^ {2}([✓✗–!]) +(\S+)/gm), ([, mark, name]) => `${mark} ${name}`);
}

export interface CheckOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly administration?: string;
}

/** All that the command prints of the checks that need credentials: `✓ list.filter: message → advice`. */
export async function check(rest: DemoService, options: CheckOptions = {}): Promise<string[]> {
  const { env = {}, token = tokens.companyA, administration } = options;
  const args = administration === undefined ? [] : ['--administration', administration];
  const { output } = await runDoctor(rest, ['--yes', ...args], { DOCTOR_TOKEN: token, ...env });
  // Wrapped lines are indented further than any name.
  const lines = output.replace(/\n {20,}/g, ' ').split('\n');
  let list = '';
  return lines.flatMap((line) => {
    const [, mark, indent, name, message] = /^ {2}([✓✗–!]) ( {2})?(\S+) +(.*)$/.exec(line) ?? [];
    if (mark === undefined || ['configuration', 'reachable'].includes(`${name}`)) return [];
    if (indent === undefined) list = `${name}`;
    return `${mark} ${indent === undefined ? name : `${list}.${name}`}: ${message}`;
  });
}

export function notPassed(findings: readonly string[]): string[] {
  return findings.filter((finding) => !finding.startsWith('✓'));
}

/** The finding of one check, named `check`, or `list.argument` for a filter. */
export function findingOf(findings: readonly string[], name: string): string | undefined {
  return findings.find((finding) => finding.slice(2).startsWith(`${name}: `));
}
