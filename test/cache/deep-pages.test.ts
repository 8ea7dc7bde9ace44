import { expect, test } from 'vitest';
import { freshGateway } from '../support/gateway.ts';

test('records with a value that is nested without end are merged and compared within the stack', async () => {
  const gateway = await freshGateway({ gateway: { cacheTtlMs: 60_000 } });
  const deep = '['.repeat(50_000) + ']'.repeat(50_000);
  const row = `{"id":"1","administration_id":"1001","name":"Jansen","language_code":${deep}}`;
  const body = `{"data":[${row}],"pagination":{"cursor":null}}`;
  gateway.rest.misbehave({ kind: 'body', body, times: 2, match: { path: '/v1/debtors' } });
  for (const field of ['name', 'vatNumber']) {
    const query = `{ debtors(administrationId: "1001") { nodes { internalId ${field} languageCode } } }`;
    const { data } = await gateway.query(query);
    expect(data).toMatchObject({ debtors: { nodes: [{ internalId: '1', languageCode: null }] } });
  }
});
