import { describe, expect, test } from 'vitest';
import { useGateway } from '../../support/gateway.ts';

const gateway = await useGateway();

const brackets = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const QUERY = 'query ($a: [ID!]!) { nodes(ids: $a) { id } }';

const DEEP = /^(The body|`(variables|extensions)`) is nested more than 32 levels deep\.$/;
const MANY = /^The body has more than 50000 commas and brackets\.$/;

const bodies: Record<string, [text: string, message: RegExp]> = {
  'variables of 5,000 levels': [`{"query":"${QUERY}","variables":{"a":${brackets(5_000)}}}`, DEEP],
  'variables of 100,000 levels': [`{"query":"${QUERY}","variables":{"a":${brackets(100_000)}}}`, MANY],
  'variables of 5,000 levels of objects': [
    `{"query":"${QUERY}","variables":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
    DEEP,
  ],
  'extensions of 5,000 levels': [`{"query":"${QUERY}","extensions":{"a":${brackets(5_000)}}}`, DEEP],
  'levels in a member that is not read': [`{"query":"${QUERY}","other":${brackets(5_000)}}`, DEEP],
  'levels behind a string of quotes': [
    `{"query":"{ __typename } # \\"\\\\\\" [","variables":{"a":${brackets(33)}}}`,
    DEEP,
  ],
  'empty lists': [`{"query":"${QUERY}","variables":{"a":[${'[],'.repeat(150_000)}1]}}`, MANY],
  numbers: [`{"query":"${QUERY}","variables":{"a":[${'1,'.repeat(200_000)}1]}}`, MANY],
};

describe('JSON is refused', () => {
  test.each(Object.entries(bodies))('%s', async (_what, [body, message]) => {
    const response = await gateway.post(body);
    const { errors } = JSON.parse(await response.text());
    expect(response.status).toBe(400);
    expect(errors).toEqual([
      {
        message: expect.stringMatching(message),
        extensions: expect.objectContaining({ code: 'BAD_REQUEST' }),
      },
    ]);
    expect(gateway.calls()).toEqual([]);
  });

  test.each(['variables', 'extensions'])('%s of a GET', async (name) => {
    const parameters = new URLSearchParams({ query: '{ __typename }', [name]: `{"a":${brackets(2_000)}}` });
    const response = await fetch(`${gateway.url}?${parameters}`);
    const { errors } = JSON.parse(await response.text());
    expect(response.status).toBe(400);
    expect(errors[0].message).toMatch(DEEP);
    expect(errors[0].extensions.code).toBe('BAD_REQUEST');
  });
});
