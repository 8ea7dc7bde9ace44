import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type DemoData, generateData } from '../../src/demo/data/generate.ts';
import { ODD_ADMINISTRATION } from '../../src/demo/data/odd-records.ts';
import { createLife } from '../../src/demo/life.ts';
import { startDemoService as startEmbeddedService } from '../../src/demo/service.ts';
import { eventually } from '../support/eventually.ts';
import { startDemoService } from '../support/rest-service.mjs';
import { contradictions } from './contradictions.ts';
import { get, rowsOf } from './support.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const STEP_MS = 3_000;
const LISTS = ['debtors', 'declarationLines', 'deletedCreditCases', 'deletedPayments'] as const;

/** Lets life go on for so many steps, and tells what is different afterwards: id and changed fields, by list. */
function live(steps: number, seed?: number) {
  const data = generateData(NOW);
  const before = copyOf(data);
  let now = NOW;
  const life = createLife({ data, now: () => now }, seed);
  for (let step = 0; step < steps; step += 1) {
    now += STEP_MS;
    life();
  }
  return { data, before, now };
}

const lives = new Map<number, ReturnType<typeof live>>();

/** A life that nobody changes, lived once for all who look at it. */
function lifeOf(steps: number) {
  const lived = lives.get(steps) ?? live(steps);
  lives.set(steps, lived);
  return lived;
}

afterAll(() => lives.clear());

function copyOf(data: DemoData) {
  return Object.fromEntries(
    LISTS.map((list) => [list, new Map(data[list].map((row) => [row.id, { ...row }]))]),
  );
}

/** Records of a list that are new or changed, with the record before. */
function changesOf({ data, before }: ReturnType<typeof live>, list: (typeof LISTS)[number]) {
  return data[list].flatMap((row) => {
    const old = before[list]?.get(row.id);
    return old === undefined || JSON.stringify(old) !== JSON.stringify(row) ? [{ old, row }] : [];
  });
}

describe('life', () => {
  it('is the same for the same seed, and another for another', () => {
    const [one, same, other] = [1, 1, 2].map((seed) => JSON.stringify(live(50, seed).data.debtors));
    expect(one === same).toBe(true);
    expect(one === other).toBe(false);
  });

  it('shows something of everything in the first administration within its first minute', () => {
    const lived = lifeOf(60_000 / STEP_MS);
    const own = (list: (typeof LISTS)[number]) =>
      changesOf(lived, list).filter(({ row }) => row.administration_id === '1001');
    expect(own('debtors').some(({ old }) => old === undefined)).toBe(true);
    expect(own('debtors').filter(({ old }) => old !== undefined).length).toBeGreaterThan(5);
    expect(own('declarationLines')).not.toEqual([]);
    expect(own('deletedCreditCases')).not.toEqual([]);
    expect(own('deletedPayments')).not.toEqual([]);
  });

  it('can still be believed after an hour', () => {
    const { data } = live(1_500);
    const living = <R extends { administration_id: string }>(records: readonly R[]) =>
      records.filter(({ administration_id }) => administration_id !== ODD_ADMINISTRATION);
    expect(contradictions.ofDebtors(living(data.debtors))).toEqual([]);
    expect(contradictions.ofLines(living(data.declarationLines))).toEqual([]);
  });

  it('reaches every administration, but for the odd cases, which stay as they are', () => {
    const lived = lifeOf(400);
    const changed = changesOf(lived, 'debtors').map(({ row }) => row.administration_id);
    expect(new Set(changed)).toEqual(new Set(['1001', '1002', '2001']));
    const others = LISTS.flatMap((list) => changesOf(lived, list).map(({ row }) => row.administration_id));
    expect(others).not.toContain(ODD_ADMINISTRATION);
  });

  it('stamps what it changes with the clock, and keeps the order of ids', () => {
    const lived = lifeOf(400);
    for (const list of LISTS) {
      for (const { row } of changesOf(lived, list)) {
        const stamp = 'deleted_at' in row ? row.deleted_at : row.updated_at;
        expect(Date.parse(stamp)).toBeGreaterThan(NOW);
        expect(Date.parse(stamp)).toBeLessThanOrEqual(lived.now);
      }
      const ids = lived.data[list].map(({ id }) => id);
      expect(ids.every((id) => /^\d{6}$/.test(id))).toBe(true);
      expect(ids).toEqual([...new Set(ids)].toSorted());
    }
  });

  it('goes on for weeks in bounded memory, with payments still to come', () => {
    const data = generateData(NOW);
    let now = NOW;
    const life = createLife({ data, now: () => now });
    for (let step = 0; step < 12_000; step += 1) {
      now += 200 * STEP_MS;
      life();
    }
    expect(data.debtors.length).toBe(4_000);
    expect(data.declarationLines.length).toBe(generateData(NOW).declarationLines.length);
    expect(data.deletedCreditCases.length).toBe(1_500);
    expect(data.deletedPayments.length).toBe(1_500);
    const owing = data.debtors.filter(({ book_open_amount }) => Number(book_open_amount) > 0);
    expect(owing.length).toBeGreaterThan(500);
    expect(new Set(data.declarationLines.map(({ claim_status }) => claim_status)).size).toBeGreaterThan(5);
  });
});

describe('the service', () => {
  it('begins to change when somebody first asks for changes', async () => {
    const service = await startEmbeddedService({ changesMs: 1 });
    onTestFinished(() => service.close());
    const all = { administration_id: '1001', per_page: '500' };
    const before = rowsOf(await get(service, '/v1/debtors', all));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(rowsOf(await get(service, '/v1/debtors', all))).toEqual(before);
    const changed = { ...all, updated_after: '2026-01-01T00:00:00Z' };
    await eventually(async () => {
      expect(rowsOf(await get(service, '/v1/debtors', changed)).length).toBeGreaterThan(3);
    });
  });

  it('stands still unless it is told to live', async () => {
    const service = await startEmbeddedService();
    onTestFinished(() => service.close());
    const query = { administration_id: '1001', updated_after: '2026-01-01T00:00:00Z' };
    expect(rowsOf(await get(service, '/v1/debtors', query))).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rowsOf(await get(service, '/v1/debtors', query))).toEqual([]);
  });

  it('tells the time of its clock in `Date`, of faults too', async () => {
    const service = await startDemoService({ now: () => NOW });
    onTestFinished(() => service.close());
    service.misbehave({ kind: 'status', status: 500 });
    for (const status of [500, 200]) {
      const reply = await get(service, '/v1/debtors', { administration_id: '1001', per_page: '1' });
      expect([reply.status, reply.headers.get('date')]).toEqual([status, 'Thu, 15 Jan 2026 12:00:00 GMT']);
    }
  });
});
