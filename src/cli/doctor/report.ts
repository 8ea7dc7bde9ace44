import { styleText } from 'node:util';
import type { Output } from '../context.ts';
import { withoutControlCharacters, wrapText } from '../text.ts';

/** Only `failed` makes the command fail; `skipped` was not checked, or does not apply. */
const OUTCOMES = {
  passed: ['✓', 'green'],
  warned: ['!', 'yellow'],
  failed: ['✗', 'red'],
  skipped: ['–', 'dim'],
} as const;
export type Outcome = keyof typeof OUTCOMES;

const MIN_WIDTH = 60;
const MAX_WIDTH = 110;
/** Of the longest name of a filter. */
const NAME_WIDTH = 22;

export type Report = ReturnType<typeof createReport>;

/** Prints a table of findings row by row. */
export function createReport(stdout: Output, colours: boolean) {
  const counts = { passed: 0, failed: 0, warned: 0, skipped: 0 };
  const width = Math.max(MIN_WIDTH, Math.min(stdout.columns ?? MAX_WIDTH, MAX_WIDTH));
  /** Lines that begin in the same column. The text may quote the REST service. */
  const wrapped = (text: string, column: number) =>
    wrapText(withoutControlCharacters(text), width - column).join(`\n${' '.repeat(column)}`);

  return {
    counts,
    add(outcome: Outcome, check: string, message: string, advice = ''): void {
      counts[outcome] += 1;
      const [mark, colour] = OUTCOMES[outcome];
      const start = colours ? styleText(colour, mark, { validateStream: false }) : mark;
      const column = NAME_WIDTH + 6;
      stdout.write(`  ${start} ${check.padEnd(NAME_WIDTH)}  ${wrapped(message, column)}\n`);
      if (advice) stdout.write(`${' '.repeat(column)}→ ${wrapped(advice, column + 2)}\n`);
    },
    code: (text: string) => stdout.write(`\n  ${text}\n`),
    paragraph: (text: string) => stdout.write(`\n${wrapped(text, 0)}\n`),
    summary: () =>
      `${counts.passed} passed, ${counts.failed} failed, ${counts.warned} to look at, ${counts.skipped} not checked.`,
  };
}
