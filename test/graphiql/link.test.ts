import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linkTo, readLink, withoutSecrets } from '../../src/graphiql/curl.ts';
import { casesOf } from '../support/search.ts';

const page = 'http://localhost:4000/graphql?from=docs#old';

describe('a link', () => {
  test('has all of it behind #, encoded as parameters', () => {
    const text = { query: '{ a(b: "c&d") }', variables: '{"e": "é"}', operationName: 'F' };
    expect(linkTo(page, text)).toBe(
      'http://localhost:4000/graphql#query=%7B+a%28b%3A+%22c%26d%22%29+%7D&variables=%7B%22e%22%3A+%22%C3%A9%22%7D&operationName=F',
    );
  });

  test('opens what it was made of, whatever that is', () => {
    const text = fc.string({ unit: fc.constantFrom(...'{}#&=+% \n"é☃\\') });
    fc.assert(
      fc.property(text, text, text, (query, variables, operationName) => {
        fc.pre(query.trim() !== '');
        const read = readLink(new URL(linkTo(page, { query, variables, operationName })).hash);
        expect(read).toEqual({
          query,
          variables: variables.trim() ? variables : '',
          operationName: operationName || undefined,
        });
      }),
      { numRuns: casesOf({ short: 40, long: 200 }) },
    );
  });

  test.each(['', '#', '#query=', '#query=%20', '#section', '#variables=%7B%7D', '#QUERY=x'])(
    '%j opens nothing',
    (hash) => expect(readLink(hash)).toBeUndefined(),
  );

  test('has no headers, even if it is given some', () => {
    expect(readLink('#query=%7Ba%7D&headers=%7B%22X%22%3A1%7D&token=abc')).toEqual({
      query: '{a}',
      variables: '',
      operationName: undefined,
    });
  });
});

describe('what is shared or stored', () => {
  const variables = (query: string, given: string) => ({ query, variables: given });

  test.each([
    ['{ a(token: "xyz") }', '{ a(token: "") }'],
    ['{ a(input: { refreshToken : """xyz""", b: "c" }) }', '{ a(input: { refreshToken : "", b: "c" }) }'],
    [
      'query A($clientSecret: String! = "xyz", $b: ID = "c") { a }',
      'query A($clientSecret: String! = "", $b: ID = "c") { a }',
    ],
    ['{ a(token: $token, b: "c") }', '{ a(token: $token, b: "c") }'],
    ['{ a(b: "held") # token: "xyz"\n}', '{ a(b: "held") # token: ""\n}'],
    ['{ a(b: "sent with the-known-token") }', '{ a(b: "sent with ") }'],
    ['{ a(token: "x\\"yz", b: "c") ', '{ a(token: "", b: "c") '],
    ['{ token myToken: debtors { b } }', '{ token myToken: debtors { b } }'],
  ])('the query %j becomes %j', (query, cleaned) => {
    expect(withoutSecrets(variables(query, ''), ['the-known-token']).query).toBe(cleaned);
  });

  test.each([
    ['{"token": "xyz", "b": "c"}', '{"token": "", "b": "c"}'],
    ['{"input": {"refreshToken":"xyz"} /* mine */ }', '{"input": {"refreshToken":""} /* mine */ }'],
    ['{"b": "the-known-token"}', '{"b": ""}'],
    ['{"b": "quo\\"ted-secret"}', '{"b": ""}'],
    ['{"b": "tiny"}', '{"b": "tiny"}'],
    ['', ''],
  ])('the variables %j become %j', (given, cleaned) => {
    const known = ['the-known-token', 'quo"ted-secret', 'tiny', ''];
    expect(withoutSecrets(variables('{ a }', given), known)).toEqual(variables('{ a }', cleaned));
  });
});
