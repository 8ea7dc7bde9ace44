import { describe, expect, test } from 'vitest';
import { JSON_TYPE, negotiate, prefersHtml, RESPONSE_JSON } from '../../src/http/negotiation.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = await useGateway();

describe('the type of an answer', () => {
  test.each([
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    [' , ', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    [RESPONSE_JSON, RESPONSE_JSON],
    ['APPLICATION/GRAPHQL-RESPONSE+JSON', RESPONSE_JSON],
    // Equal weights: what is named first.
    [`${RESPONSE_JSON}, ${JSON_TYPE}`, RESPONSE_JSON],
    [`${JSON_TYPE}, ${RESPONSE_JSON}`, JSON_TYPE],
    [`${RESPONSE_JSON}, */*`, RESPONSE_JSON],
    [`*/*, ${RESPONSE_JSON}`, JSON_TYPE],
    [`${JSON_TYPE};q=0.5, ${RESPONSE_JSON};q=0.5`, JSON_TYPE],
    // Weights decide, wherever they stand.
    [`${JSON_TYPE};q=0.1, ${RESPONSE_JSON};q=0.9`, RESPONSE_JSON],
    [`${RESPONSE_JSON};q=0.1, ${JSON_TYPE};q=0.9`, JSON_TYPE],
    [`${JSON_TYPE};q=0.999, ${RESPONSE_JSON}`, RESPONSE_JSON],
    [`${JSON_TYPE}; Q=0.1 , ${RESPONSE_JSON} ; q = 0.9`, RESPONSE_JSON],
    [`${JSON_TYPE};charset=utf-8;q=0.1, ${RESPONSE_JSON};charset=utf-8;q=0.2`, RESPONSE_JSON],
    [`${RESPONSE_JSON};q=0.9, */*;q=0.1`, RESPONSE_JSON],
    [`${RESPONSE_JSON};q=0.1, */*;q=0.9`, JSON_TYPE],
    // The most specific range decides on a type, whatever a wider one says.
    [`${JSON_TYPE};q=0, */*`, RESPONSE_JSON],
    [`${JSON_TYPE};q=0, application/*`, RESPONSE_JSON],
    [`${RESPONSE_JSON};q=0, */*`, JSON_TYPE],
    [`application/*;q=0, */*`, undefined],
    [`application/*;q=0, ${JSON_TYPE}`, JSON_TYPE],
    [`*/*;q=0, ${RESPONSE_JSON};q=0.001`, RESPONSE_JSON],
    [`${JSON_TYPE};q=0`, undefined],
    [`${JSON_TYPE};q=0.0, ${RESPONSE_JSON};q=0.000`, undefined],
    ['*/*;q=0', undefined],
    ['text/html, text/*', undefined],
    ['text/html;q=1, */*;q=0.1', JSON_TYPE],
    ['nonsense', undefined],
    // A weight that is none is left out of account.
    [`${JSON_TYPE};q=, ${RESPONSE_JSON};q=0.9`, JSON_TYPE],
    [`${JSON_TYPE};q=high, ${RESPONSE_JSON};q=0.9`, JSON_TYPE],
    [`${JSON_TYPE};q=-1`, JSON_TYPE],
    [`${JSON_TYPE};q=0, ${JSON_TYPE};charset=utf-8`, JSON_TYPE],
  ])('for %j is %s', (accept, type) => {
    expect(negotiate(accept)).toBe(type);
  });

  test('is found in a header of nothing but commas', () => {
    expect(negotiate(','.repeat(16_000))).toBe(JSON_TYPE);
  });

  test('is negotiated over HTTP', async () => {
    const typeFor = async (accept: string) => {
      const response = await gateway.post('{"query":"{ __typename }"}', { accept });
      return [response.status, response.headers.get('content-type')];
    };
    expect(await typeFor(`${JSON_TYPE};q=0.1, ${RESPONSE_JSON};q=0.9`)).toEqual([
      200,
      `${RESPONSE_JSON}; charset=utf-8`,
    ]);
    expect(await typeFor('')).toEqual([200, `${JSON_TYPE}; charset=utf-8`]);
    expect(await typeFor('application/*;q=0, */*')).toEqual([406, `${JSON_TYPE}; charset=utf-8`]);
  });
});

test.each([
  ['text/html', true],
  ['text/html;q=0.5, text/plain', false],
  ['text/html;q=0, */*', false],
  ['*/*', false],
  [undefined, false],
])('a page for %j is HTML: %s', (accept, isHtml) => {
  expect(prefersHtml(accept, ['text/plain'])).toBe(isHtml);
});
