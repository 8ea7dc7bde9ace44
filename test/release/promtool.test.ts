import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { promtoolTests } from '../deploy/alert-cases.ts';
import { exposeMetrics } from '../deploy/exposition.ts';
import { readDeploy } from '../deploy/support.ts';
import { blocksOf, root } from '../docs/pages.ts';
import { describeWith, program } from '../support/requirements.ts';
import { makeFolder } from '../support/resources.ts';

const rulesFile = fileURLToPath(new URL('deploy/alerts.yml', root));

describeWith(program('promtool', 'prometheus'))('Prometheus', () => {
  test('fires each alert in its cases, and only then', () => {
    const cases = write('cases.yml', promtoolTests(rulesFile));
    const { status, said } = promtool(['test', 'rules', cases]);
    expect({ status, said }).toMatchObject({ status: 0, said: expect.stringContaining('SUCCESS') });
  });

  test('accepts the alert rules, the expressions of the dashboard and the metrics', async () => {
    const {
      panels,
    }: { readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[] } =
      JSON.parse(readDeploy('grafana-dashboard.json'));
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const records = expressions.map((expression, index) => ({
      record: `dashboard:${index}`.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? ''),
      expr: expression.replaceAll('$__rate_interval', '5m'),
    }));
    const queries = write('dashboard.yml', { groups: [{ name: 'dashboard', rules: records }] });
    const checked = promtool(['check', 'rules', rulesFile, queries]);
    expect(checked).toMatchObject({ status: 0 });
    expect(promtool(['check', 'metrics'], await exposeMetrics())).toEqual({ status: 0, said: '' });
  });

  test('accepts the scrape configuration in the documentation', () => {
    const shown = blocksOf('docs/operations.md').find(({ language }) => language === 'yaml');
    const file = join(makeFolder(), 'prometheus.yml');
    writeFileSync(file, shown?.text ?? '');
    expect(promtool(['check', 'config', file])).toMatchObject({ status: 0 });
  });
});

function promtool(args: readonly string[], input = ''): { status: number | null; said: string } {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  if (error) throw error;
  return { status, said: `${stdout}${stderr}` };
}

/** JSON is YAML. */
function write(name: string, content: object): string {
  const file = join(makeFolder(), name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}
