import type { Status } from '../../telemetry/status.ts';

/** A number of the panel. */
export interface Figure {
  readonly member: 'operationsPerSecond' | 'p95Milliseconds' | 'restCallsPerSecond' | 'cacheHitPercent';
  readonly label: string;
  readonly unit: string;
}

export const FIGURES: readonly Figure[] = [
  { member: 'operationsPerSecond', label: 'Operations', unit: '/s' },
  { member: 'p95Milliseconds', label: '95 % within', unit: 'ms' },
  { member: 'restCallsPerSecond', label: 'REST calls', unit: '/s' },
  { member: 'cacheHitPercent', label: 'From the cache', unit: '%' },
];

/** What stands for a number that there is none of, such as a duration without operations. */
export const NO_NUMBER = '–';
export const NO_BREAKERS = 'none';

export function numberText(status: Status, { member }: Figure): string {
  return String(status[member] ?? NO_NUMBER);
}

export function breakersText({ openBreakers }: Status): string {
  return openBreakers.join(', ') || NO_BREAKERS;
}

const UNITS: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'days'],
  [3_600, 'h'],
  [60, 'min'],
];

/** Whole units, of which there are at least two. */
export function durationText(seconds: number): string {
  const [length, unit] = UNITS.find(([each]) => seconds >= 2 * each) ?? [1, 's'];
  return `${Math.round(seconds / length)} ${unit}`;
}
