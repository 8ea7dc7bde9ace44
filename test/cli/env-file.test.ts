import { describe, expect, test } from 'vitest';
import { parseEnvFile } from '../../src/cli/env-file.ts';

describe('a file for --env-file', () => {
  test.each([
    ['A=1\nB=2', { A: '1', B: '2' }],
    ['\uFEFFA=1\r\nB=\r\n\r\nC=3\r\n', { A: '1', B: '', C: '3' }],
    [' A = x y # z\n\t# A=2\n \t\nexport B=2#\nexport=3', { A: 'x y', B: '2', export: '3' }],
    ['A="a # \'\nb\\nc" # d\nB=\'"\\n\' d\nC=`"\'`', { A: "a # '\nb\nc", B: '"\\n', C: '"\'' }],
    ['A="\nB=2\nA=3', { A: '3', B: '2' }],
    ['A=b=c\n__proto__=1', Object.fromEntries([...Object.entries({ A: 'b=c' }), ['__proto__', '1']])],
    ['', {}],
  ])('%j has the variables %j', (content, variables) => {
    const { values, invalidLine } = parseEnvFile(content);
    expect(values).toEqual(new Map(Object.entries(variables)));
    expect(invalidLine).toBeUndefined();
  });

  test.each([
    ['A=1\nB\nC=3\nD', 2],
    ['A="\n\n"\n# B\nB: 2\n', 5],
    ['A="x\ny\n', 2],
    ['A B=1', 1],
    ['\r\n"A"=1', 2],
  ])('%j has a line that is not NAME=value: line %i', (content, line) => {
    expect(parseEnvFile(content).invalidLine).toBe(line);
  });
});
