import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { anchorsOf, root, rowsOf } from '../docs/pages.ts';
import { promtool, testWithPromtool } from '../support/promtool.ts';
import { ALERT_CASES, promtoolTests } from './alert-cases.ts';
import { exposeMetrics, exposeTlsFaults, readSeries, type Series } from './exposition.ts';
import { missingFrom } from './promql.ts';

const rulesFile = fileURLToPath(new URL('deploy/alerts.yml', root));
const rules = readFileSync(rulesFile, 'utf8');
const alerts = rules
  .split(/^ {6}- (?=alert: )/m)
  .slice(1)
  .map((text) => ({
    name: member(text, 'alert'),
    text,
    expression: /expr: (?:\|\n)?(.*?)\n {8}for: /s.exec(text)?.[1] ?? '',
  }));

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}
const dashboard: {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
} = JSON.parse(readFileSync(new URL('deploy/grafana-dashboard.json', root), 'utf8'));
const targets = dashboard.panels.flatMap(({ targets = [] }) => targets);

let exposition = '';
let series: readonly Series[] = [];

beforeAll(async () => {
  exposition = await exposeMetrics();
  series = [...readSeries(exposition), ...readSeries(await exposeTlsFaults())];
});

describe('the alerts', () => {
  test('name metrics and labels that a running gateway exposes', () => {
    // `up` is Prometheus' own.
    const all = [...series, { name: 'up', labels: new Map() }];
    expect(alerts.map(({ name, expression }) => [name, missingFrom(all, expression)])).toEqual(
      alerts.map(({ name }) => [name, []]),
    );
  });

  test('each wait, have a severity and a text, and lead to a section that says what to do', () => {
    const anchors = anchorsOf('docs/operations.md');
    for (const { name, text, expression } of alerts) {
      expect(member(text, 'for')).toMatch(/^\d+m$/);
      expect(['warning', 'critical']).toContain(member(text, 'severity'));
      expect(member(text, 'summary')).toMatch(/\.$/);
      expect(member(text, 'description')).toMatch(/\{\{ \$labels\.instance \}\}/);
      expect(member(text, 'runbook_url')).toBe(`docs/operations.md#${name.toLowerCase()}`);
      expect(anchors).toContain(name.toLowerCase());
      const grouping = [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
      for (const label of grouping) if (label !== 'instance') expect(expression).toContain(label);
    }
  });

  test('each have a case in which they fire, and one in which they do not', () => {
    expect(Object.keys(ALERT_CASES)).toEqual(alerts.map(({ name }) => name));
    for (const { fires, stays } of Object.values(ALERT_CASES))
      expect(Math.min(fires.length, stays.length)).toBeGreaterThan(0);
  });

  testWithPromtool('fire when they should, and only then', () => {
    const cases = write('cases.yml', promtoolTests(rulesFile));
    const { status, said } = promtool(['test', 'rules', cases]);
    expect({ status, said }).toMatchObject({ status: 0, said: expect.stringContaining('SUCCESS') });
  });
});

describe('the dashboard', () => {
  test('names metrics and labels that a running gateway exposes', () => {
    const missing = targets.flatMap(({ expr }) => missingFrom(series, expr));
    expect(missing).toEqual([]);
    expect(targets.length).toBeGreaterThan(20);
  });

  test('has a variable for the data source, which every panel uses, and ids of its own for all panels', () => {
    const { panels, templating } = dashboard;
    expect(templating.list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource' }),
    );
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const sources = panels.filter(({ type }) => type !== 'row').map(({ datasource }) => datasource?.uid);
    const used = [...sources, ...targets.map(({ datasource }) => datasource.uid)];
    expect([...new Set(used)]).toEqual(['$datasource']);
  });
});

testWithPromtool('Prometheus can read the rules, the expressions of the dashboard and the metrics', () => {
  const records = targets.map(({ expr }, index) => ({
    record: `dashboard:${index}`.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? ''),
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }));
  const queries = write('dashboard.yml', { groups: [{ name: 'dashboard', rules: records }] });
  const checked = promtool(['check', 'rules', rulesFile, queries]);
  expect(checked).toMatchObject({ status: 0 });
  expect(promtool(['check', 'metrics'], exposition)).toEqual({ status: 0, said: '' });
});

test('the table of metrics has every metric with its type and labels, and no other', () => {
  const exposed = Array.from(exposition.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name = '', type = '']) => {
    const own = series.filter((each) => each.name.replace(/_(?:bucket|sum|count)$/, '') === name);
    const labels = new Set(own.flatMap((each) => [...each.labels.keys()]));
    labels.delete('le');
    return [name, type, [...labels].sort()];
  });
  const named = rowsOf('docs/operations.md', 'metric').map(([name = '', type = '', labels = '']) => [
    name.replaceAll('`', ''),
    type,
    Array.from(labels.matchAll(/`(\w+)`/g), ([, label = '']) => label).sort(),
  ]);
  expect(named.sort()).toEqual(exposed.sort());
});

/** JSON is YAML. */
function write(name: string, content: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function member(text: string, name: string): string {
  return new RegExp(`\\b${name}: '?(.*?)'?$`, 'm').exec(text)?.[1] ?? '';
}
