import type { Finding, Outcome } from '../doctor/finding.ts';

const MARKS: { readonly [outcome in Outcome]: { readonly mark: string; readonly colour: number } } = {
  passed: { mark: '✓', colour: 32 },
  warned: { mark: '!', colour: 33 },
  failed: { mark: '✗', colour: 31 },
  skipped: { mark: '–', colour: 2 },
};
const BOLD = 1;
const DIM = 2;
const WIDEST = 110;

/** Where a report goes: a terminal, a file or a pipe. */
export interface ReportOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Report {
  title(text: string): void;
  add(finding: Finding): void;
  /** Text that stands apart; `code` is to be copied, so it is not broken. */
  paragraph(text: string, code?: string): void;
}

/** A table of findings, a row at a time. The names of the checks are known before, so that columns are straight. */
export function createReport(
  output: ReportOutput,
  { names, colours }: { readonly names: readonly string[]; readonly colours: boolean },
): Report {
  const nameWidth = Math.max(...names.map((name) => name.length));
  const width = Math.min(output.columns ?? WIDEST, WIDEST);
  const margin = nameWidth + 6;
  const paint = (text: string, colour: number) => (colours ? `\x1b[${colour}m${text}\x1b[0m` : text);

  /** Words of the service may stand in it, which must not steer the terminal. */
  const lines = (text: string, indent: number) =>
    wrap(text.replace(/\p{Cc}+/gu, ' '), Math.max(30, width - indent));

  return {
    title: (text) => output.write(`\n${paint(text, BOLD)}\n\n`),

    add({ check, list, outcome, found, advice }) {
      const { mark, colour } = MARKS[outcome];
      const name = (list === undefined ? check : `  ${check}`).padEnd(nameWidth);
      const [first = '', ...more] = lines(found, margin);
      output.write(
        `  ${paint(mark, colour)} ${name}  ${outcome === 'skipped' ? paint(first, DIM) : first}\n`,
      );
      for (const line of more)
        output.write(`${' '.repeat(margin)}${outcome === 'skipped' ? paint(line, DIM) : line}\n`);
      if (advice === undefined) return;
      for (const [index, line] of lines(advice, margin + 2).entries()) {
        output.write(`${' '.repeat(margin)}${paint(`${index === 0 ? '→' : ' '} ${line}`, colour)}\n`);
      }
    },

    paragraph(text, code) {
      output.write(`\n${lines(text, 0).join('\n')}\n`);
      if (code !== undefined) output.write(`\n  ${code}\n`);
    },
  };
}

/** Lines of words, none wider than `width` unless a word is. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/ +/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** How many findings came to what, in words. */
export function summary(findings: readonly Finding[]): string {
  const count = (wanted: Outcome) => findings.filter(({ outcome }) => outcome === wanted).length;
  const failures = count('failed');
  const parts = [
    `${count('passed')} passed`,
    `${failures} ${failures === 1 ? 'fault' : 'faults'}`,
    count('warned') > 0 && `${count('warned')} to look at`,
    count('skipped') > 0 && `${count('skipped')} not checked`,
  ];
  return `${parts.filter((part) => part !== false).join(', ')}.`;
}
