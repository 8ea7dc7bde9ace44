// @ts-check
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import jsTokens from 'js-tokens';
import { analyse } from 'scslre';

/**
 * The regular expressions of a source text that may take more than linear time, with their lines. Whoever sends the
 * worst text to one of them holds up all others: a megabyte of spaces takes `/ +$/` minutes.
 * @param {string} source
 * @param {{ jsx?: boolean }} [options] Whether the text is TSX.
 */
export function slowPatterns(source, { jsx = false } = {}) {
  const slow = [];
  let line = 1;
  for (const { type, value } of jsTokens(source, { jsx })) {
    if (type === 'RegularExpressionLiteral') {
      const end = value.lastIndexOf('/');
      const { reports } = analyse({ source: value.slice(1, end), flags: value.slice(end + 1) });
      if (reports.length > 0) slow.push({ line, pattern: value });
    }
    line += value.split('\n').length - 1;
  }
  return slow;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const files = execFileSync('git', ['ls-files', 'src', 'clients'], { encoding: 'utf8' }).split('\n');
  for (const file of files.filter((name) => /\.(?:js|tsx?)$/.test(name))) {
    const source = readFileSync(file, 'utf8');
    for (const { line, pattern } of slowPatterns(source, { jsx: file.endsWith('.tsx') })) {
      process.exitCode = 1;
      console.error(`${file}:${line} ${pattern} may take more than linear time`);
    }
  }
}
