import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Leaver, type StartGroup, StartQueue } from '../../src/limits/start-queue.ts';
import { comesFrom } from '../support/addresses.ts';

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
});

afterAll(() => {
  vi.useRealTimers();
});

/** Operations that take so many milliseconds to start, by a clock of their own, and the turn in which each did. */
class Starts {
  #now = 0;
  #turn = 0;
  readonly #queue = new StartQueue(() => this.#now);
  readonly #turnMs: number;
  readonly started: { readonly name: string; readonly turn: number }[] = [];

  constructor(turnMs = 5) {
    this.#turnMs = turnMs;
  }

  /** Whether it has started at once. */
  enter(
    owner: string,
    name: string,
    milliseconds: number,
    group: StartGroup = 'addresses',
    client: Leaver = { onLeave: undefined },
  ): boolean {
    const waits = this.#queue.enter(owner, group, client);
    if (waits) waits.then(() => this.#start(name, milliseconds));
    else this.#start(name, milliseconds);
    return waits === undefined;
  }

  /** Part of it after a wait for what is there already, as where a resolver is asynchronous. */
  async #start(name: string, milliseconds: number): Promise<void> {
    this.started.push({ name, turn: this.#turn });
    await undefined;
    await undefined;
    this.#now += milliseconds;
  }

  /** Time that goes into something else. */
  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  onConnection(): void {
    this.#queue.onConnection();
  }

  async nextTurn(): Promise<void> {
    await turn();
    this.#turn += 1;
    this.#now += this.#turnMs;
    vi.advanceTimersByTime(this.#turnMs);
  }

  async turns(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) await this.nextTurn();
  }

  get names(): string[] {
    return this.started.map(({ name }) => name);
  }
}

test('operations start at once while a turn of the event loop has time left', async () => {
  const starts = new Starts();
  expect(starts.enter('a', 'one', 2)).toBe(true);
  await new Promise((resolve) => process.nextTick(resolve));
  expect(starts.enter('b', 'two', 2)).toBe(true);
});

test('of those that come in one moment the first starts at once: how long it takes is not known yet', async () => {
  const queue = new StartQueue();
  const enter = () => queue.enter('owner', 'credentials', { onLeave: undefined });
  const [first, second, third] = [enter(), enter(), enter()];
  expect([first, second instanceof Promise, third instanceof Promise]).toEqual([undefined, true, true]);
  await Promise.all([second, third]);
});

test('time that goes into anything else does not keep operations from starting', async () => {
  const starts = new Starts();
  expect(starts.enter('a', 'one', 1)).toBe(true);
  await Promise.resolve().then(() => new Promise((resolve) => process.nextTick(resolve)));
  starts.pass(300);
  expect(starts.enter('a', 'two', 1)).toBe(true);
});

/** Uses up what starting may take of this turn, so that whoever comes next waits. */
async function fill(starts: Starts): Promise<void> {
  starts.enter('first', 'first', 5);
  await Promise.resolve().then(() => new Promise((resolve) => process.nextTick(resolve)));
}

test('those that wait start until they have used the time of a turn', async () => {
  const starts = new Starts();
  await fill(starts);
  for (const name of ['1', '2', '3', '4', '5', '6', '7']) expect(starts.enter('a', name, 2)).toBe(false);
  starts.pass(300);
  await starts.turns(5);
  // After two of them four milliseconds are gone, after three it is too late for a fourth.
  expect(starts.started.slice(1).map(({ turn }) => turn)).toEqual([0, 0, 0, 1, 1, 1, 2]);
});

test('one of an address that takes longer leaves as much time to others', async () => {
  const starts = new Starts();
  await fill(starts);
  for (const name of ['1', '2', '3']) starts.enter('a', name, 25);
  await starts.turns(2);
  starts.enter('b', 'lookup', 1, 'credentials');
  await starts.turns(10);
  const turns = Object.fromEntries(starts.started.map(({ name, turn }) => [name, turn]));
  expect(turns).toEqual({ first: 0, 1: 0, lookup: 2, 2: 4, 3: 8 });
});

test('there are no turns while only addresses wait that have to leave time to others', async () => {
  const starts = new Starts(1);
  await fill(starts);
  const immediate = vi.spyOn(globalThis, 'setImmediate');
  for (const name of ['1', '2', '3']) starts.enter('a', name, 45);
  await starts.turns(100);
  const count = immediate.mock.calls.length;
  immediate.mockRestore();
  expect(starts.names).toEqual(['first', '1', '2', '3']);
  expect(count).toBeLessThan(20);
});

test('owners take turns, and whoever comes while others wait goes before those that have started more', async () => {
  const starts = new Starts();
  await fill(starts);
  for (const name of ['1', '2', '3']) starts.enter('greedy', name, 4);
  starts.enter('quiet', 'only', 4);
  await starts.nextTurn();
  expect(starts.enter('late', 'late', 4)).toBe(false);
  await starts.turns(4);
  expect(starts.names).toEqual(['first', '1', 'only', 'late', '2', '3']);
});

test('whoever has used little time does not wait for those that have used much, however many they are', async () => {
  const starts = new Starts();
  await fill(starts);
  const heavy = ['a', 'b', 'c', 'd'];
  for (const owner of heavy) for (const number of [1, 2, 3]) starts.enter(owner, `${owner}${number}`, 25);
  await starts.turns(16);
  starts.enter('quiet', 'one', 1);
  starts.enter('quiet', 'another', 1);
  await starts.turns(16);
  expect(starts.names).toEqual(['first', 'a1', 'b1', 'c1', 'd1', 'one', 'another', 'a2', 'b2', 'c2', 'd2']);
});

test('credentials of one address share its time: however many there are, others do not wait for all of them', async () => {
  const starts = new Starts();
  await fill(starts);
  const greedy = Array.from({ length: 10 }, (_, index) => `token${index}`);
  comesFrom('10.0.0.2', 'quiet');
  comesFrom('10.0.0.1', ...greedy);
  for (const token of greedy) starts.enter(token, token, 25, 'credentials');
  for (const name of ['one', 'two', 'three']) starts.enter('quiet', name, 1, 'credentials');
  await starts.turns(4);
  expect(starts.names.slice(0, 5)).toEqual(['first', 'token0', 'one', 'two', 'three']);
  await starts.turns(20);
  expect(starts.names.slice(5)).toEqual(greedy.slice(1));
});

test('what was used while nobody waited counts no more', async () => {
  const starts = new Starts();
  starts.enter('a', 'a1', 400);
  await starts.turns(100);
  await fill(starts);
  starts.enter('a', 'a2', 4);
  starts.enter('b', 'b1', 4);
  await starts.turns(3);
  expect(starts.names).toEqual(['a1', 'first', 'a2', 'b1']);
});

test('as many operations start for many owners as for one', async () => {
  const starts = new Starts();
  await fill(starts);
  const owners = Array.from({ length: 300 }, (_, index) => `owner ${index}`);
  for (const owner of owners) for (const number of [1, 2]) starts.enter(owner, `${owner} ${number}`, 5);
  await starts.turns(600);
  expect(new Set(starts.names).size).toBe(601);
  // Nobody starts a second before everybody has started a first.
  const firsts = starts.names.slice(1, 301);
  expect(firsts.every((name) => name.endsWith(' 1'))).toBe(true);
});

test('probes and accepted credentials do not wait for addresses, however many there are', async () => {
  const starts = new Starts();
  await fill(starts);
  for (const name of ['1', '2', '3', '4']) starts.enter(`address ${name}`, name, 25);
  starts.enter('credential', 'lookup', 1, 'credentials');
  starts.enter('credential', 'another lookup', 1, 'credentials');
  starts.enter('address 5', 'probe', 1, 'probes');
  await starts.turns(20);
  expect(starts.names).toEqual(['first', 'lookup', 'probe', 'another lookup', '1', '2', '3', '4']);
});

test('once nobody waits any more, operations start at once again', async () => {
  const starts = new Starts();
  await fill(starts);
  starts.enter('a', '1', 1);
  await starts.nextTurn();
  expect(starts.enter('a', '2', 1)).toBe(true);
});

test('turns in which connections are accepted start nothing, but one of many does where more and more come', async () => {
  const starts = new Starts(0);
  await fill(starts);
  for (const name of ['1', '2', '3', '4']) starts.enter('a', name, 2);
  for (let accepted = 0; accepted < 40; accepted += 1) {
    starts.onConnection();
    await starts.nextTurn();
  }
  expect(starts.names).toEqual(['first']);
  starts.onConnection();
  await starts.nextTurn();
  // As many as have time in a turn: otherwise those that come with the connections would be more and more.
  expect(starts.names).toEqual(['first', '1', '2', '3']);
  starts.onConnection();
  await starts.nextTurn();
  expect(starts.names).toEqual(['first', '1', '2', '3']);
  await starts.nextTurn();
  expect(starts.names).toEqual(['first', '1', '2', '3', '4']);
});

test('after a long start, connections that come go before the next, also if nobody waits', async () => {
  const starts = new Starts(0);
  expect(starts.enter('a', 'long', 30, 'credentials')).toBe(true);
  for (const name of ['1', '2', '3']) {
    await starts.nextTurn();
    starts.onConnection();
    expect(starts.enter('a', name, 1, 'credentials')).toBe(false);
  }
  expect(starts.names).toEqual(['long']);
  await starts.turns(2);
  expect(starts.names).toEqual(['long', '1', '2', '3']);
  starts.onConnection();
  expect(starts.enter('a', 'short', 1, 'credentials')).toBe(true);
});

test('what waits for a client that leaves ends at once, and takes no turn', async () => {
  const starts = new Starts();
  await fill(starts);
  const clients = ['1', '2'].map((name) => {
    const client: Leaver = { onLeave: undefined };
    starts.enter('a', name, 25, 'addresses', client);
    return client;
  });
  starts.onConnection();
  for (const client of clients) client.onLeave?.();
  await Promise.resolve();
  expect(starts.names).toEqual(['first', '1', '2']);
  expect(clients).toEqual([{ onLeave: undefined }, { onLeave: undefined }]);
  await starts.nextTurn();
  // Nobody waits any more.
  expect(starts.enter('a', '3', 1)).toBe(true);
});

test('what a client enters in the turn that it has waited for is a part of it, once, and no later', async () => {
  const queue = new StartQueue();
  const client: Leaver = { onLeave: undefined };
  const enter = () => queue.enter('a', 'addresses', client);
  enter();
  await enter();
  expect([enter(), enter() instanceof Promise]).toEqual([undefined, true]);
  await enter();
  await turn();
  // Somebody else has the turn.
  queue.enter('b', 'addresses', { onLeave: undefined });
  expect(enter()).toBeInstanceOf(Promise);
});
