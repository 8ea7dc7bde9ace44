import { expect, test } from 'vitest';
import { BY_ID, cachedRecord, cacheRecords } from '../../src/rest/cache/record-cache.ts';
import { createRestCache } from '../../src/rest/cache/rest-cache.ts';
import { defineResource, known } from '../../src/rest/resource.ts';
import { WIRE_TEXT } from '../../src/rest/wire-text.ts';

const resource = defineResource({
  name: 'things',
  type: 'Thing',
  path: '/things',
  credential: 'bearer',
  requiredFields: ['id'],
  takesFields: true,
  filters: { administrationId: known('administration_id'), ids: known('ids') },
});
const filters = { administrationId: '1' };
const key = { administrationId: '1', key: BY_ID, value: '7' };

test('a record that is merged is shown no longer than its older part', () => {
  const generation = createRestCache(60_000).credential('Bearer x').generation();
  cacheRecords(
    generation,
    resource,
    filters,
    { id: {}, a: {} },
    { rows: [{ id: WIRE_TEXT.encode('7') }], bytes: 10 },
    WIRE_TEXT,
  );
  const before = cachedRecord(generation, resource, key, WIRE_TEXT);
  cacheRecords(
    generation,
    resource,
    filters,
    { id: {}, b: {} },
    { rows: [{ id: WIRE_TEXT.encode('7') }], bytes: 10 },
    WIRE_TEXT,
  );
  const merged = cachedRecord(generation, resource, key, WIRE_TEXT);
  expect(merged?.value.fields).toEqual({ id: {}, a: {}, b: {} });
  expect(merged?.expiresAt).toBe(before?.expiresAt);
});

test('a record that is read again with all its fields is shown for as long as a new one', () => {
  const generation = createRestCache(60_000).credential('Bearer x').generation();
  cacheRecords(
    generation,
    resource,
    filters,
    { id: {}, a: {} },
    { rows: [{ id: WIRE_TEXT.encode('7') }], bytes: 10 },
    WIRE_TEXT,
  );
  const before = cachedRecord(generation, resource, key, WIRE_TEXT);
  cacheRecords(
    generation,
    resource,
    filters,
    { id: {}, a: {} },
    { rows: [{ id: WIRE_TEXT.encode('7') }], bytes: 10 },
    WIRE_TEXT,
  );
  expect(cachedRecord(generation, resource, key, WIRE_TEXT)?.expiresAt).toBeGreaterThan(
    before?.expiresAt ?? 0,
  );
});
