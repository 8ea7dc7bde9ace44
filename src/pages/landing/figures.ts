import type { Status } from '../../telemetry/status.ts';

/** A number of the panel. */
export interface Figure {
  readonly member: 'operationsPerSecond' | 'p95Milliseconds' | 'restCallsPerSecond' | 'cacheHitPercent';
  readonly label: string;
  readonly unit: string;
}

export const FIGURES: readonly Figure[] = [
  { member: 'operationsPerSecond', label: 'Operations', unit: '/s' },
  { member: 'p95Milliseconds', label: '95th percentile', unit: 'ms' },
  { member: 'restCallsPerSecond', label: 'REST calls', unit: '/s' },
  { member: 'cacheHitPercent', label: 'Cache hits', unit: '%' },
];

/** What stands for a number that there is none of, such as a duration without operations. */
export const NO_NUMBER = '–';
export const NO_BREAKERS = 'none';

/** With its unit. */
export function figureText(status: Status, { member, unit }: Figure): string {
  const number = status[member];
  return number === null ? NO_NUMBER : `${number} ${unit}`;
}

export function breakersText({ openBreakers }: Status): string {
  return openBreakers.join(', ') || NO_BREAKERS;
}

/** Less than a minute after the start, and more where the process stood still: the computer may have slept. */
export function periodText(seconds: number): string {
  if (seconds >= 60 && seconds < 120) return 'minute';
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
