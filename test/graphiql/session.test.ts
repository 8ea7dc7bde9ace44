import { expect, test } from 'vitest';
import { createBrowserSession } from '../../src/graphiql/session.ts';
import { memoryStorage } from './memory-storage.ts';

const settings = {
  endpoint: '/graphql',
  credentials: { token: 'given', clientId: 'id', clientSecret: 'secret' },
  administrationId: '7',
  tabs: [],
};

test('a first visit uses the administration of the settings, and a later one the chosen one', () => {
  const browser = memoryStorage();
  const session = createBrowserSession(settings, browser);
  const given = {
    ...settings.credentials,
    administrationId: '7',
    credentialError: null,
    connectionError: null,
  };
  expect(session.get()).toEqual(given);
  session.set({ token: 'typed', administrationId: '8' });
  expect(createBrowserSession(settings, browser).get()).toEqual({ ...given, administrationId: '8' });
});

test('no credential is stored unless the visitor allows it, and all are deleted when that ends', () => {
  const browser = memoryStorage();
  const session = createBrowserSession(settings, browser);
  const stored = () => browser.getItem('graphiql:credentials');
  session.set({ token: 'first' });
  expect(stored()).toBeNull();
  const allow = (isAllowed: boolean) => {
    browser.setItem('graphiql:shouldPersistHeaders', String(isAllowed));
    session.store();
  };
  allow(true);
  session.set({ token: 'second' });
  expect(stored()).toContain('second');
  expect(createBrowserSession(settings, browser).get().token).toBe('second');
  allow(false);
  expect(stored()).toBeNull();
});

test('a response does not change the stored session, since another window may have changed it', () => {
  const browser = memoryStorage({ 'graphiql:shouldPersistHeaders': 'true' });
  const session = createBrowserSession(settings, browser);
  session.set({ token: 'mine' });
  createBrowserSession(settings, browser).set({ token: 'newer', administrationId: '9' });
  session.set({ connectionError: null, credentialError: 'why' });
  expect(createBrowserSession(settings, browser).get()).toMatchObject({
    token: 'newer',
    administrationId: '9',
  });
  browser.clear();
  session.set({ connectionError: null });
  session.set({ administrationId: '8' });
  expect(browser.getItem('graphiql:credentials')).toBeNull();
});

const NO_TOKEN = expect.stringContaining('not an access token');

test.each([
  ['  abc\n', 'abc', null],
  ['bearer  abc', 'abc', null],
  ['Authorization: Bearer abc', 'abc', null],
  ['', '', null],
  ['two words', '', NO_TOKEN],
  ['naïve', '', NO_TOKEN],
])('the input %j is the token %j, with the error %j', (text, token, credentialError) => {
  const session = createBrowserSession(settings, memoryStorage());
  session.set({ credentialError: 'that of another token' });
  session.set({ token: text });
  expect(session.get()).toMatchObject({ token, credentialError });
});
