import { expect, test } from 'vitest';
import { EventResults } from '../../src/response/event-results.ts';
import { event, Feed } from './support.ts';

function resultsOf(feed: AsyncIterable<unknown>) {
  const ended: number[] = [];
  let batch = 0;
  const results = new EventResults(feed, 100, async (events) => {
    batch += 1;
    const own = batch;
    return { results: events.map((_, index) => event(index)), end: () => void ended.push(own) };
  });
  return { results, ended };
}

test('what a result holds is given back when the next one is asked for, not before', async () => {
  const feed = new Feed().tell(event(1), event(2));
  const { results, ended } = resultsOf(feed);
  await results.next();
  expect(ended).toEqual([]);
  await results.next();
  expect(ended).toEqual([1]);
  const third = results.next();
  expect(ended).toEqual([1, 2]);
  feed.end();
  expect((await third).done).toBe(true);
  expect(ended).toEqual([1, 2]);
});

test('a stream that is left gives back what it holds, also what is executed meanwhile', async () => {
  const { results, ended } = resultsOf(new Feed().tell(event(1), event(2)));
  await results.next();
  const second = results.next();
  await results.return();
  await second;
  expect(ended).toEqual([1, 2]);
});
