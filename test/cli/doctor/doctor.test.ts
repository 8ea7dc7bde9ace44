import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { gather } from '../../support/processes.ts';
import type { DemoOptions, DemoService } from '../../support/rest-service.mjs';
import { run, start } from '../support.ts';
import { APPLICATION, application, rows, runDoctor, startRest, TOKEN, tokens } from './support.ts';

/** The calls that carried a credential. */
function callsWithCredentials(rest: DemoService) {
  return rest.calls.filter(({ headers }) => headers.authorization !== undefined);
}

describe('doctor', () => {
  test('without REST_URL shows what it does, over the embedded service', async () => {
    const { status, output, errors } = await run(['doctor']);
    expect(errors).toBe('');
    expect(status).toBe(0);
    expect(rows(output).slice(0, 10)).toEqual([
      '✓ configuration',
      '✓ memory',
      '✓ reachable',
      '– TLS',
      '– address',
      '✓ application',
      '✓ administration',
      '✓ token',
      '✓ debtors',
      '✓ declarationLines',
    ]);
    expect(output).toContain('REST_URL is embedded: doctor checks the embedded service');
    expect(output).toContain('25 passed, 0 faults, 2 not checked.');
    // Columns are straight, and a pipe gets no colours.
    expect(new Set(output.match(/^ {2}✓ .{22} {2}(?=\S)/gm)?.map(({ length }) => length)).size).toBe(1);
    expect(output).not.toContain('\x1b');
  });

  test('says what to set for names that are wrong; with that set, all is well', async () => {
    const parameterNames: DemoOptions['parameterNames'] = {
      declarationLines: { created_after: 'created_from', claim_status: 'filter[status]' },
      deletedPayments: { deleted_before: 'until' },
    };
    const rest = await startRest({ unknownParameters: 'ignore', parameterNames });
    const args = ['--yes', '--administration', '1001'];
    const before = await runDoctor(rest, args);
    expect(before.status).toBe(1);
    expect(rows(before.output).filter((row) => row.startsWith('✗'))).toEqual([
      '✗ claimStatus',
      '✗ createdAfter',
      '✗ deletedBefore',
    ]);
    expect(before.output).toContain('Set declarationLines.createdAfter in REST_PARAMETER_NAMES');

    const [, json = ''] = /^ {2}REST_PARAMETER_NAMES='(.*)'$/m.exec(before.output) ?? [];
    const { declarationLines, deletedPayments } = JSON.parse(json);
    expect(Object.keys({ ...declarationLines, ...deletedPayments })).toEqual([
      'claimStatus',
      'createdAfter',
      'deletedBefore',
    ]);
    const truth = ['filter[status]', 'created_from', 'until'];
    const REST_PARAMETER_NAMES = json.replace(/<its true name>/g, () => truth.shift() ?? '');
    expect(await runDoctor(rest, args, { ...TOKEN, REST_PARAMETER_NAMES })).toMatchObject({ status: 0 });
  });

  test('begins and ends with a configuration that is faulty', async () => {
    const { status, output, errors } = await run(['doctor', '--yes'], {
      PORT: 'x',
      REST_URL: 'nowhere',
      ...TOKEN,
    });
    expect({ status, errors }).toEqual({ status: 1, errors: '' });
    expect(rows(output)).toEqual(['✗ configuration', '✗ configuration']);
    expect(output).toContain('REST_URL takes an address');
    expect(output).toContain('PORT takes a whole number');
  });

  test('shows no secret, and the warning before it uses one', async () => {
    const rest = await startRest();
    const { status, output, errors } = await runDoctor(rest, ['--yes'], { ...TOKEN, ...APPLICATION });
    expect(status).toBe(0);
    expect(errors).toMatch(
      /revokes a token that arrives from an address which is not on the IP\s+allow list/,
    );
    const basic = Buffer.from(`${application.clientId}:${application.clientSecret}`).toString('base64');
    for (const secret of [tokens.companyA, application.clientSecret, basic]) {
      expect(output + errors).not.toContain(secret);
    }
  });

  test('ends quietly with 130 when it is interrupted', async () => {
    const rest = await startRest();
    rest.misbehave({ kind: 'hang', match: { path: '/v1/debtors' } });
    const env = { REST_URL: rest.url, ...TOKEN };
    // Only a process gets a signal.
    const child = start(['doctor', '--yes', '--administration', '1001'], env);
    const output = gather(child.stdout);
    await eventually(() => expect(output()).toContain('as asked for'));
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(output()).not.toMatch(/ at |Error/);
  });
});

describe('no credential is used', () => {
  test('where nobody can be asked', async () => {
    const rest = await startRest();
    const { status, output } = await runDoctor(rest, []);
    expect(status).toBe(1);
    expect(rows(output)).toEqual(['✓ configuration', '✓ memory', '✓ reachable', '– TLS', '– address']);
    expect(output).toContain('No credential was used, since there is no terminal to ask at: pass --yes');
    expect(rest.calls).toHaveLength(1);
    expect(callsWithCredentials(rest)).toEqual([]);
  });

  test.each([
    ['where none is given', {}, 'not given'],
    ['where it cannot be one', { DOCTOR_TOKEN: 'Bearer kept-to-itself' }, 'a character that no token has'],
  ])('%s', async (_where, env, found) => {
    const rest = await startRest();
    const { status, output, errors } = await runDoctor(rest, ['--yes'], env);
    expect(status).toBe(1);
    expect(rows(output).at(-1)).toBe('✗ token');
    expect(output).toContain(found);
    expect(output + errors).not.toContain('kept-to-itself');
    expect(callsWithCredentials(rest)).toEqual([]);
  });

  test('over plain HTTP to another machine', async () => {
    // 0.0.0.0 connects to this machine, but is not recognised as a loopback address.
    const rest = await startRest({ host: '0.0.0.0' });
    const { status, output } = await runDoctor(rest, ['--yes']);
    expect(status).toBe(1);
    expect(rows(output)).toEqual(['✓ configuration', '✓ memory', '✓ reachable', '✗ TLS', '– address']);
    expect(output).toContain('tokens would travel in the clear');
    expect(output).toContain('No credential was used, since the connection is not sound.');
    expect(callsWithCredentials(rest)).toEqual([]);
  });
});
