import { beforeAll, describe, expect, test } from 'vitest';
import { CALL_ERROR_TYPES } from '../../src/rest/errors.ts';
import { anchorsOf, rowsOf } from '../docs/pages.ts';
import { ALERT_CASES } from './alert-cases.ts';
import { exposeMetrics, readSeries } from './exposition.ts';
import { missingFrom, type Series } from './promql.ts';
import { readDeploy } from './support.ts';

const rules = readDeploy('alerts.yml');
const alerts = rules
  .split(/^ {6}- (?=alert: )/m)
  .slice(1)
  .map((text) => ({
    name: member(text, 'alert'),
    text,
    expression: /expr: (?:\|\n)?(.*?)\n {8}for: /s.exec(text)?.[1] ?? '',
  }));

const dashboard: { readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[] } =
  JSON.parse(readDeploy('grafana-dashboard.json'));
const targets = dashboard.panels.flatMap(({ targets = [] }) => targets);

let exposition = '';
let series: readonly Series[] = [];

beforeAll(async () => {
  exposition = await exposeMetrics();
  series = readSeries(exposition);
});

describe('the alerts', () => {
  test('use only metrics and labels that a running gateway exposes', () => {
    // `up` is Prometheus' own; of the faults of calls, one has happened.
    const [call] = series.filter(({ name }) => name === 'http_client_request_duration_seconds_count');
    const faults = CALL_ERROR_TYPES.map((fault) => ({
      name: call?.name ?? '',
      labels: new Map([...(call?.labels ?? []), ['error_type', fault]]),
    }));
    const all = [...series, ...faults, { name: 'up', labels: new Map() }];
    expect(alerts.map(({ name, expression }) => [name, missingFrom(all, expression)])).toEqual(
      alerts.map(({ name }) => [name, []]),
    );
  });

  test('each have a duration, a severity, a text and a section of the documentation', () => {
    const anchors = anchorsOf('docs/operations.md');
    for (const { name, text, expression } of alerts) {
      expect(member(text, 'for')).toMatch(/^\d+m$/);
      expect(['warning', 'critical']).toContain(member(text, 'severity'));
      expect(member(text, 'summary')).toMatch(/\.$/);
      expect(member(text, 'description')).toMatch(/\{\{ \$labels\.instance \}\}/);
      expect(member(text, 'runbook_url')).toBe(
        `https://gateway.example/docs/operations#${name.toLowerCase()}`,
      );
      expect(anchors).toContain(name.toLowerCase());
      const grouping = [...text.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
      for (const label of grouping) if (label !== 'instance') expect(expression).toContain(label);
    }
  });

  test('each have test cases in which they fire and in which they do not', () => {
    expect(Object.keys(ALERT_CASES)).toEqual(alerts.map(({ name }) => name));
    for (const { fires, stays } of Object.values(ALERT_CASES))
      expect(Math.min(fires.length, stays.length)).toBeGreaterThan(0);
  });
});

test('the Grafana dashboard uses only metrics and labels that a running gateway exposes', () => {
  expect(targets.flatMap(({ expr }) => missingFrom(series, expr))).toEqual([]);
  expect(targets.length).toBeGreaterThan(20);
});

test('the table of metrics lists every metric with its type and labels, and no other', () => {
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

function member(text: string, name: string): string {
  return new RegExp(`\\b${name}: '?(.*?)'?$`, 'm').exec(text)?.[1] ?? '';
}
