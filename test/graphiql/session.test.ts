import { expect, test } from 'vitest';
import { createBrowserSession } from '../../src/graphiql/session.ts';
import { memoryStorage } from './memory-storage.ts';

const settings = {
  endpoint: '/graphql',
  credentials: { token: 'given', clientId: 'id', clientSecret: 'secret' },
  administrationId: '7',
  tabs: [],
};

test('a first visit has what the settings give', () => {
  expect(createBrowserSession(settings, memoryStorage()).get()).toEqual({
    ...settings.credentials,
    administrationId: '7',
    refusal: null,
    lost: null,
  });
});

test('a later visit has the administration that was chosen, and the given credentials', () => {
  const browser = memoryStorage();
  createBrowserSession(settings, browser).set({ token: 'typed', administrationId: '8' });
  expect(createBrowserSession(settings, browser).get()).toMatchObject({
    token: 'given',
    administrationId: '8',
  });
});

test('no credential is stored until the visitor allows it, and none once that is taken back', () => {
  const browser = memoryStorage();
  const session = createBrowserSession(settings, browser);
  const stored = () => browser.getItem('graphiql:credentials');
  session.set({ token: 'first' });
  expect(stored()).toBeNull();
  session.storeCredentials(true);
  expect(stored()).toContain('first');
  session.set({ token: 'second' });
  expect(stored()).toContain('second');
  expect(createBrowserSession(settings, browser).get().token).toBe('second');
  session.storeCredentials(false);
  expect(stored()).toBeNull();
});

test.each([
  ['abc', 'abc'],
  ['  abc\n', 'abc'],
  ['Bearer abc', 'abc'],
  ['bearer  abc', 'abc'],
  ['', ''],
])('the token %j is %j', (text, token) => {
  const session = createBrowserSession(settings, memoryStorage());
  session.set({ refusal: 'that of another token' });
  session.set({ token: text });
  expect(session.get()).toMatchObject({ token, refusal: null });
});

test.each(['two words', 'naïve', 'a\u0000b', '…'])('%j is refused as a token, and not sent', (text) => {
  const session = createBrowserSession(settings, memoryStorage());
  session.set({ token: text });
  expect(session.get()).toMatchObject({ token: '', refusal: expect.stringContaining('no access token') });
});

test('whoever listens hears of each change until it stops to listen', () => {
  const session = createBrowserSession(settings, memoryStorage());
  let heard = 0;
  const stop = session.subscribe(() => {
    heard += 1;
  });
  session.set({ administrationId: '8' });
  stop();
  session.set({ administrationId: '9' });
  expect(heard).toBe(1);
});
