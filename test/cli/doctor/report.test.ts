import { describe, expect, test } from 'vitest';
import { createReport, type Finding } from '../../../src/cli/doctor/report.ts';

describe('a report', () => {
  function printed(finding: Finding, options: { colours?: boolean; columns?: number } = {}): string {
    let text = '';
    const output = {
      write(more: string) {
        text += more;
      },
      ...(options.columns !== undefined && { columns: options.columns }),
    };
    createReport(
      { stdout: output, stderr: output },
      { names: ['token'], colours: options.colours ?? false },
    ).add(finding);
    return text;
  }

  test('is coloured where that is wanted', () => {
    const finding = { check: 'token', outcome: 'failed', message: 'refused' } as const;
    expect(printed(finding)).toBe('  ✗ token  refused\n');
    expect(printed(finding, { colours: true })).toBe('  \x1b[31m✗\x1b[39m token  refused\n');
  });

  test('fits its terminal, with what to do below', () => {
    const message = 'one two three four five six seven eight';
    const finding = { check: 'token', outcome: 'failed', message, advice: 'nine ten' } as const;
    expect(printed(finding, { columns: 42 })).toBe(
      ['  ✗ token  one two three four five six', '           seven eight', '           → nine ten', ''].join(
        '\n',
      ),
    );
  });

  test('lets no words of the service steer the terminal', () => {
    const message = 'It said: \x1b[2J\x1b]0;x\x07gone\u009b31m\r\nhere';
    expect(printed({ check: 'token', outcome: 'failed', message })).toMatch(/^[^\p{Cc}]+\n$/u);
  });
});
