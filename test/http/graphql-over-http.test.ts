import { serverAudits } from 'graphql-http';
import { describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.ts';

const gateway = await useGateway();

describe('the GraphQL-over-HTTP audit', () => {
  const audits = serverAudits({ url: gateway.url, fetchFn: fetch });

  test('has 61 tests', () => {
    expect(audits).toHaveLength(61);
  });

  test.each(audits.map((audit) => [`${audit.id} ${audit.name}`, audit] as const))(
    '%s',
    async (_name, audit) => {
      expect(await audit.fn()).toMatchObject({ status: 'ok' });
    },
  );
});
