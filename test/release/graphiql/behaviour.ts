import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as driver from '../../graphiql/driver.ts';
import { describeInBrowser, type Visit, visit } from '../../support/browser.ts';

/** A server of the page, and what a visitor finds there. */
export interface Subject {
  start(): Promise<{ readonly url: string; close(): Promise<void> }>;
  /**
   * The examples in the order of their tabs: the operation's name, and a text that only its answer holds. A subscription
   * has none: its first event may be a long time coming.
   */
  readonly examples: readonly { readonly operation: string; readonly answer?: string }[];
  /** A text in the variables of the first example. */
  readonly variables: string;
  /** A path that shows among the REST calls of the first example. */
  readonly restPath: string;
  /** A text of the schema's description. */
  readonly introduction: string;
  /** A field of the query type, and a text of its description. */
  readonly documented: { readonly field: string; readonly description: string };
}

/** Runs a subscription, and stops it. */
async function openStream(page: Page): Promise<void> {
  const isStream = (response: Response) => /event-stream/.test(response.headers()['content-type'] ?? '');
  await Promise.all([page.waitForResponse(isStream), driver.run(page)]);
  await page.getByRole('button', { name: /^Stop query/ }).click();
  await page.getByRole('button', { name: /^Execute query/ }).waitFor();
}

/** What must hold of the page, whichever server it comes from. */
export function describeGraphiql(name: string, subject: Subject): void {
  describeInBrowser(name, () => {
    const [first, ...others] = subject.examples;
    if (first?.answer === undefined) throw new Error('The page needs an example, and its answer first');
    const { answer } = first;
    let server: Awaited<ReturnType<Subject['start']>>;
    let visitor: Visit;
    let page: Page;

    beforeAll(async () => {
      server = await subject.start();
      visitor = await visit(server.url);
      page = visitor.page;
    }, 30_000);

    afterAll(async () => {
      await page?.context().close();
      await server?.close();
    });

    test('the first example is open, with its variables', async () => {
      await driver.shows(driver.queryPane(page), first.operation);
      await driver.shows(await driver.openPane(page, 'Variables'), subject.variables);
      expect(await page.title()).toBe('receivables-graphql');
    });

    test('running it shows the answer, and the REST calls behind the answer', async () => {
      await driver.run(page);
      await driver.shows(driver.responsePane(page), answer);
      await driver.openCalls(page);
      await driver.shows(driver.restCalls(page), subject.restPath);
    });

    test('every other example runs as it stands', async () => {
      for (const example of others) {
        await driver.openTab(page, example.operation);
        if (example.answer === undefined) {
          await openStream(page);
          continue;
        }
        await driver.run(page);
        await driver.shows(driver.responsePane(page), example.answer);
      }
    });

    test('a tab still shows its answer and its REST calls when one returns to it', async () => {
      await driver.openTab(page, first.operation);
      await driver.shows(driver.responsePane(page), answer);
      await driver.shows(driver.restCalls(page), subject.restPath);
    });

    test('the documentation introduces the schema, and describes its fields', async () => {
      await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
      const documentation = page.locator('.graphiql-doc-explorer');
      await driver.shows(documentation, subject.introduction);
      await documentation.getByRole('link', { name: 'Query', exact: true }).click();
      await driver.shows(documentation, subject.documented.field);
      await driver.shows(documentation, subject.documented.description);
    });

    test('typed headers are gone after a reload, and tabs run as before', async () => {
      await driver.overwrite(page, await driver.openPane(page, 'Headers'), '{"X-Typed": "unkept"}');
      // What is typed later is stored later, so the first would be there by now.
      await driver.append(page, driver.queryPane(page), '# kept');
      await driver.stores(page, 'tabState', '# kept');
      expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('unkept');

      await page.reload();
      await driver.shows(driver.queryPane(page), first.operation);
      await driver.queryPane(page).click();
      // The editor draws only the lines that are in view.
      await page.keyboard.press('ControlOrMeta+End');
      await driver.shows(driver.queryPane(page), '# kept');
      await driver.poll(async () => (await driver.openPane(page, 'Headers')).textContent()).toBe('');
      await driver.run(page);
      await driver.shows(driver.responsePane(page), answer);
      expect(await page.getByRole('tab').count()).toBe(subject.examples.length);
    });

    test('typed headers outlive a reload once the visitor has chosen so', async () => {
      await page.getByRole('button', { name: 'Open settings dialog' }).click();
      await page.getByRole('button', { name: 'On', exact: true }).click();
      await page.keyboard.press('Escape');
      await driver.overwrite(page, await driver.openPane(page, 'Headers'), '{"X-Typed": "kept"}');
      await driver.stores(page, 'tabState', 'X-Typed');
      await page.reload();
      await driver.shows(await driver.openPane(page, 'Headers'), '{"X-Typed": "kept"}');
      expect(await page.getByRole('tab').count()).toBe(subject.examples.length);
    });

    test('headers that are not JSON are reported, not sent', async () => {
      await driver.overwrite(page, await driver.openPane(page, 'Headers'), '{"X-Typed": ');
      await driver.run(page);
      await driver.shows(driver.responsePane(page), 'Request not sent. Request headers are invalid JSON');
    });

    test('a field that the schema does not have is underlined', async () => {
      await page.getByRole('button', { name: 'New tab' }).click();
      await driver.overwrite(page, driver.queryPane(page), '{ noSuchField }');
      await page.locator('.graphiql-query-editor .squiggly-error').waitFor();
    });

    test('the query and its variables are prettified', async () => {
      const link = new URLSearchParams({
        query: '{first:__typename,second:__typename}',
        variables: '{"one":1,"other":2}',
      });
      await page.evaluate(`location.hash = '${link}'`);
      await driver.stores(page, 'query', 'second:__typename}');
      await page.getByRole('button', { name: /^Prettify query/ }).click();
      await driver.stores(page, 'query', '{\n  first: __typename\n  second: __typename\n}');
      await driver.stores(page, 'variables', '{\n  "one": 1,\n  "other": 2\n}');
    });

    test('icons are called by words', async () => {
      const titles = await page.locator('svg > title').allTextContents();
      expect(titles).toEqual(expect.arrayContaining(['prettify icon', 'play icon', 'settings icon']));
      expect(titles.filter((title) => !/^[a-z]{3,}( [a-z]{2,})* icon$/.test(title))).toEqual([]);
    });

    test('in all of this the browser had nothing to complain of, and asked no other host', () => {
      expect(visitor.complaints).toEqual([]);
      expect(visitor.strayRequests).toEqual([]);
    });
  });
}
