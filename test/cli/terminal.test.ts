import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { createReport } from '../../src/cli/report.ts';
import { askSecret, confirm, createProgress } from '../../src/cli/terminal.ts';
import type { Finding } from '../../src/doctor/finding.ts';

/** A terminal at which these keys are pressed. */
function typing(keys: string) {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(keys);
  const interrupt = vi.fn();
  return { input, output, interrupt, shown: () => String(output.read() ?? '') };
}

describe('a question', () => {
  test.each([
    ['y\r', true],
    ['Yes\r', true],
    ['\r', false],
    ['n\r', false],
    ['yellow\r', false],
    ['', false],
  ])('answered with %j is %j', async (keys, answer) => {
    const terminal = typing(keys);
    expect(await confirm('Go on? [y/N] ', terminal)).toBe(answer);
    expect(terminal.shown()).toContain('Go on? [y/N] ');
    expect(terminal.interrupt).not.toHaveBeenCalled();
  });

  test('can be interrupted', async () => {
    const terminal = typing('\x03');
    expect(await confirm('Go on? ', terminal)).toBe(false);
    expect(terminal.interrupt).toHaveBeenCalledOnce();
  });
});

describe('a secret', () => {
  test('is read without being shown', async () => {
    const terminal = typing(' the-secret \r');
    expect(await askSecret('Token: ', terminal)).toBe('the-secret');
    expect(terminal.shown()).toBe('Token: \n');
  });

  test('is asked for when the terminal has stopped showing what is typed', async () => {
    const { input, interrupt } = typing('the-secret\r');
    const events: string[] = [];
    const setRawMode = (on: boolean) => events.push(on ? 'hidden' : 'shown again');
    const output = new Writable({
      write(chunk, _encoding, done) {
        events.push(String(chunk));
        done();
      },
    });
    await askSecret('Token: ', { input: Object.assign(input, { setRawMode }), output, interrupt });
    expect(events).toEqual(['hidden', 'Token: ', 'shown again', '\n']);
  });

  test('may be corrected while it is typed', async () => {
    expect(await askSecret('Token: ', typing('the-x\x7fsecret\r'))).toBe('the-secret');
  });

  test('may be left out, or interrupted', async () => {
    expect(await askSecret('Token: ', typing(''))).toBe('');
    const terminal = typing('half\x03');
    expect(await askSecret('Token: ', terminal)).toBe('');
    expect(terminal.interrupt).toHaveBeenCalledOnce();
  });
});

describe('progress', () => {
  function stream(isTTY: boolean) {
    const written: string[] = [];
    return { written, isTTY, columns: 12, write: (text: string) => written.push(text) };
  }

  test('is one line that is written over and erased', () => {
    const terminal = stream(true);
    const progress = createProgress(terminal);
    progress.show('declarationLines');
    progress.clear();
    expect(terminal.written).toEqual(['\r\x1b[2Kdeclaration', '\r\x1b[2K']);
  });

  test('is not written where nobody watches', () => {
    const pipe = stream(false);
    const progress = createProgress(pipe);
    progress.show('declarationLines');
    progress.clear();
    expect(pipe.written).toEqual([]);
  });
});

describe('a report', () => {
  function printed(finding: Finding, options: { colours?: boolean; columns?: number } = {}): string {
    let text = '';
    const output = {
      write(more: string) {
        text += more;
      },
      ...(options.columns !== undefined && { columns: options.columns }),
    };
    createReport(output, { names: ['token'], colours: options.colours ?? false }).add(finding);
    return text;
  }

  test('is coloured where that is wanted', () => {
    const finding = { check: 'token', outcome: 'failed', found: 'refused' } as const;
    expect(printed(finding)).toBe('  ✗ token  refused\n');
    expect(printed(finding, { colours: true })).toBe('  \x1b[31m✗\x1b[0m token  refused\n');
  });

  test('fits its terminal, with what to do below', () => {
    const found = 'one two three four five six seven eight';
    const finding = { check: 'token', outcome: 'failed', found, advice: 'nine ten' } as const;
    expect(printed(finding, { columns: 42 })).toBe(
      ['  ✗ token  one two three four five six', '           seven eight', '           → nine ten', ''].join(
        '\n',
      ),
    );
  });

  test('lets no words of the service steer the terminal', () => {
    const found = 'It said: \x1b[2J\x1b]0;x\x07gone\u009b31m\r\nhere';
    expect(printed({ check: 'token', outcome: 'failed', found })).toMatch(/^[^\p{Cc}]+\n$/u);
  });
});
