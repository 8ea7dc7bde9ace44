import { expect, test } from 'vitest';
import { cacheRecords } from '../../src/rest/cache/record-cache.ts';
import { createRestCache } from '../../src/rest/cache/rest-cache.ts';
import { defineResource, known } from '../../src/rest/resource.ts';
import { asText, WIRE_TEXT } from '../../src/rest/wire-text.ts';
import { times } from '../support/times.ts';

const resource = defineResource({
  name: 'things',
  type: 'Thing',
  path: '/v1/things',
  credential: 'bearer',
  takesFields: true,
  requiredFields: ['id'],
  filters: { administrationId: known('administration_id'), ids: known('ids') },
});

test('a large record counts for what it takes, however many small ones are in its page', () => {
  const cache = createRestCache(60_000);
  const row = (id: string, labels: number) => ({
    id: asText(id),
    administration_id: asText('1001'),
    labels: times(labels, () => ({})),
  });
  const rows = [...times(500, (index) => row(String(index), 0)), row('large', 10_000)];
  const page = { rows, bytes: 600_000 };
  cacheRecords(
    cache.credential('Bearer a').generation(),
    resource,
    { administrationId: '1001' },
    { labels: {} },
    page,
    WIRE_TEXT,
  );
  const { records } = cache.sizes();
  expect(records?.entries).toBe(501);
  expect(records?.bytes).toBeGreaterThan(660_000 + 501 * 400);
});
