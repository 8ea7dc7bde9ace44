import { expect, it, onTestFinished } from 'vitest';
import { createActivity } from '../../src/demo/activity.ts';
import { EDGE_CASE_ADMINISTRATION } from '../../src/demo/data/edge-cases.ts';
import { type DemoData, generateData } from '../../src/demo/data/generate.ts';
import { startDemoService } from '../../src/demo/service.ts';
import { eventually } from '../support/eventually.ts';
import { get, rowsOf } from './support.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const STEP_MS = 3_000;
const LISTS = ['debtors', 'declarationLines', 'deletedCreditCases', 'deletedPayments'] as const;

function live(steps: number, seed?: number, stepMs = STEP_MS) {
  const data = generateData(NOW);
  let now = NOW;
  const life = createActivity({ data, now: () => now }, seed);
  for (let step = 0; step < steps; step += 1) {
    now += stepMs;
    life();
  }
  return { data, now };
}

const before = generateData(NOW);
const known = new Set(LISTS.flatMap((list) => before[list].map((row) => JSON.stringify(row))));

function changesOf(data: DemoData, list: (typeof LISTS)[number]) {
  return data[list].filter((row) => !known.has(JSON.stringify(row)));
}

it('simulated activity is the same for the same seed and different for another', () => {
  const [one, same, other] = [1, 1, 2].map((seed) => JSON.stringify(live(50, seed).data.debtors));
  expect(one === same).toBe(true);
  expect(one === other).toBe(false);
});

it('simulated activity changes every list of the first administration within a minute', () => {
  const { data } = live(60_000 / STEP_MS);
  for (const list of LISTS)
    expect(changesOf(data, list).map(({ administration_id }) => administration_id)).toContain('1001');
});

it('simulated activity changes all but the edge cases, updates timestamps and keeps ids in order', () => {
  const { data, now } = live(400);
  for (const list of LISTS) {
    const changes = changesOf(data, list);
    expect(changes.map(({ administration_id }) => administration_id)).not.toContain(EDGE_CASE_ADMINISTRATION);
    for (const row of changes) {
      const stamp = Date.parse('deleted_at' in row ? row.deleted_at : row.updated_at);
      expect(stamp).toBeGreaterThan(NOW);
      expect(stamp).toBeLessThanOrEqual(now);
    }
    const ids = data[list].map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted());
  }
  const changed = changesOf(data, 'debtors').map(({ administration_id }) => administration_id);
  expect(new Set(changed)).toEqual(new Set(['1001', '1002', '2001']));
});

it('simulated activity runs for weeks in bounded memory and leaves open amounts', () => {
  const { data } = live(12_000, undefined, 200 * STEP_MS);
  const sizes = [data.debtors, data.deletedCreditCases, data.deletedPayments].map(({ length }) => length);
  expect(sizes).toEqual([4_000, 1_500, 1_500]);
  const owing = data.debtors.filter(({ book_open_amount }) => Number(book_open_amount) > 0);
  expect(owing.length).toBeGreaterThan(500);
});

it('simulated activity starts with the first request for changes', async () => {
  const service = await startDemoService({ changesMs: 1 });
  onTestFinished(() => service.close());
  const all = { administration_id: '1001', per_page: '500' };
  const before = rowsOf(await get(service, '/v1/debtors', all));
  for (let reads = 0; reads < 5; reads += 1)
    expect(rowsOf(await get(service, '/v1/debtors', all))).toEqual(before);
  const changed = { ...all, updated_after: '2026-01-01T00:00:00Z' };
  await eventually(async () => {
    expect(rowsOf(await get(service, '/v1/debtors', changed)).length).toBeGreaterThan(3);
  });
});
