import { EventStreamParser } from '../../src/http/server-sent-events.ts';
import { isObject } from '../../src/rest/json.ts';
import { SSE } from '../streams/support.ts';
import { postTo, type TestGateway } from '../support/gateway.ts';
import { LISTS, type List } from './history.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { SHAPES } from './world.ts';

export interface Kill {
  /** The connection is cut after so many events, or after so much time, whichever comes first. */
  readonly events: number;
  readonly afterMs: number;
  readonly awayMs: number;
  /** Whether it continues by the header `Last-Event-ID` or by the argument `after`. */
  readonly byHeader: boolean;
}

export interface ClientOptions {
  readonly gateways: readonly TestGateway[];
  readonly clock: VirtualClock;
  readonly headers: { readonly authorization: string };
  readonly administrationId: string;
  readonly lists: readonly List[];
  readonly selectsStamp: boolean;
  /** Whether it reads everything and then asks for what changed since, or starts now and then reads everything. */
  readonly startsSince: boolean;
  readonly kills: readonly Kill[];
}

export interface Known {
  readonly value: string;
  readonly stamp: string | undefined;
  readonly eventId?: string;
}

interface Event {
  readonly key: string;
  readonly cursor: string;
  readonly known: Known & { readonly eventId: string };
}

/** A client that does what the documentation says, and no more: it keeps the latest state, and a cursor. */
export class Client {
  readonly records = new Map<string, Known>();
  /** Broken promises: an event sent twice in one stream, or again under another name. */
  readonly faults: string[] = [];
  events = 0;
  streams = 0;
  lastError: unknown;
  readonly #options: ClientOptions;
  readonly #kills: Kill[];
  #cursor: string | undefined;
  #abort = new AbortController();
  #isStopped = false;
  #gateway: TestGateway | undefined;
  #isCalm = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#kills = [...options.kills];
  }

  get gateway(): TestGateway | undefined {
    return this.#gateway;
  }

  calmDown(): void {
    this.#isCalm = true;
  }

  stop(): void {
    this.#isStopped = true;
    this.#abort.abort();
  }

  async run(): Promise<void> {
    const { clock, gateways } = this.#options;
    for (let turn = 0; !this.#isStopped; turn += 1) {
      const kill = this.#isCalm ? undefined : this.#kills.shift();
      const gateway = gateways[turn % gateways.length];
      this.#abort = new AbortController();
      try {
        if (gateway) await this.#follow(gateway, kill);
      } catch (error) {
        // Most were cut by itself.
        this.lastError = error;
      }
      this.#gateway = undefined;
      this.#abort.abort();
      await clock.after(kill?.awayMs ?? 500);
    }
  }

  async #follow(gateway: TestGateway, kill: Kill | undefined): Promise<void> {
    const { startsSince, clock } = this.#options;
    let since: string | undefined;
    if (this.#cursor === undefined && startsSince) {
      since = new Date(clock.now()).toISOString();
      await this.#readAll(gateway, { 'cache-control': 'no-cache' });
    }
    const response = await this.#subscribe(gateway, since, kill?.byHeader ?? false);
    if (this.#cursor === undefined && !startsSince) await this.#readAll(gateway);
    this.streams += 1;
    this.#gateway = gateway;
    if (kill) this.#cutAfter(kill.afterMs);
    const inStream = new Set<string>();
    const parser = new EventStreamParser();
    for await (const chunk of response.body ?? []) {
      for (const { event, id, data } of parser.take(chunk)) {
        if (event === 'complete') return;
        if (event === undefined) continue;
        this.#take(JSON.parse(data ?? ''), inStream);
        if (id !== undefined) this.#cursor = id;
        if (kill && inStream.size >= kill.events && !this.#isCalm) return;
      }
    }
  }

  #cutAfter(milliseconds: number): void {
    const abort = this.#abort;
    void this.#options.clock.after(milliseconds).then(() => {
      if (!this.#isCalm) abort.abort();
    });
  }

  async #subscribe(gateway: TestGateway, since: string | undefined, byHeader: boolean): Promise<Response> {
    const cursor = this.#cursor;
    const isInHeader = byHeader && cursor !== undefined;
    const after = isInHeader ? undefined : cursor;
    const variables = { in: this.#options.administrationId, since, after };
    const headers = { ...SSE, ...this.#options.headers, ...(isInHeader && { 'last-event-id': cursor }) };
    const operation = { query: this.#subscription, variables };
    const response = await postTo(gateway.url, operation, headers, this.#abort);
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return response;
  }

  #take(result: unknown, inStream: Set<string>): void {
    const event = eventIn(result);
    // Else it says that the service could not be read, or that the stream ends.
    if (event === undefined) return;
    const { key, known, cursor } = event;
    this.events += 1;
    this.#cursor = cursor;
    if (inStream.has(known.eventId))
      this.faults.push(`${key} was sent twice in one stream: ${known.eventId}`);
    inStream.add(known.eventId);
    const last = this.records.get(key);
    if (last?.eventId === known.eventId) return;
    const isSame = last?.eventId !== undefined && last.value === known.value && last.stamp === known.stamp;
    // A new stream does not know how often a record has changed back to this content.
    const contentOf = (eventId: string) => eventId.replace(/\.\d+$/, '');
    if (isSame && this.#options.selectsStamp && contentOf(known.eventId) !== contentOf(last.eventId))
      this.faults.push(`${key} was sent again as ${known.eventId}, before as ${last.eventId}`);
    this.records.set(key, known);
  }

  async #readAll(gateway: TestGateway, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const headers = { ...this.#options.headers, ...more };
    const read = await readLists(gateway, { ...this.#options, headers });
    for (const [key, known] of read) this.records.set(key, known);
  }

  get #subscription(): string {
    const { lists, selectsStamp } = this.#options;
    const kinds = lists.map((list) => SHAPES[list].kind);
    const events = lists.map((list) => {
      const { event, field } = SHAPES[list];
      return `... on ${event} { ${field} { ${getSelection(list, selectsStamp)} } }`;
    });
    return `subscription ($in: ID!, $since: DateTime, $after: String) {
      changes(administrationId: $in, kinds: [${kinds}], since: $since, after: $after) {
        eventId cursor kind ${events.join(' ')}
      }
    }`;
  }
}

export async function readLists(
  gateway: TestGateway,
  options: Pick<ClientOptions, 'headers' | 'administrationId' | 'lists'>,
): Promise<Map<string, Known>> {
  const { headers, administrationId, lists } = options;
  const fields = lists.map((list) => {
    const nodes = `nodes { ${getSelection(list, true)} }`;
    return `${list}(administrationId: $in, first: 500) { ${nodes} }`;
  });
  const { data, errors } = await gateway.query(
    `query ($in: ID!) { ${fields.join(' ')} }`,
    { in: administrationId },
    headers,
  );
  if (errors || !isObject(data)) throw new Error(`A list could not be read: ${JSON.stringify(errors)}`);
  return new Map(
    lists.flatMap((list) => {
      const connection = data[list];
      const nodes = isObject(connection) && Array.isArray(connection.nodes) ? connection.nodes : [];
      return nodes.flatMap((node) => (isObject(node) ? [recordIn(list, node)] : []));
    }),
  );
}

function getSelection(list: List, selectsStamp: boolean): string {
  const { value, stamp } = SHAPES[list];
  return `internalId ${value} ${selectsStamp ? stamp : ''}`;
}

function recordIn(list: List, node: Readonly<Record<string, unknown>>): [key: string, known: Known] {
  const { value, stamp } = SHAPES[list];
  const moment = node[stamp];
  return [
    `${list} ${node.internalId}`,
    { value: String(node[value]), stamp: moment === undefined ? undefined : String(moment) },
  ];
}

function eventIn(result: unknown): Event | undefined {
  const data = isObject(result) ? result.data : undefined;
  const change = isObject(data) ? data.changes : undefined;
  if (!isObject(change)) return undefined;
  const list = LISTS.find((candidate) => SHAPES[candidate].kind === change.kind);
  const node = list && change[SHAPES[list].field];
  if (!list || !isObject(node)) throw new Error(`An event without a record: ${JSON.stringify(result)}`);
  const [key, known] = recordIn(list, node);
  return { key, cursor: String(change.cursor), known: { ...known, eventId: String(change.eventId) } };
}
