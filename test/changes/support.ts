import { onTestFinished } from 'vitest';
import { GrowingEvents, SSE, StreamReader } from '../streams/support.ts';
import {
  ADMINISTRATION,
  freshGateway,
  postTo,
  type TestGateway,
  type TestOptions,
} from '../support/gateway.ts';
import type { DemoData } from '../support/rest-service.mjs';
import { createData } from '../support/rest-world.ts';

/** Asked for often enough that a test need not wait. */
const FAST = { changesPollMs: 20, changesLookbackMs: 5_000 };

export interface World {
  readonly gateway: TestGateway;
  readonly data: DemoData;
}

export async function startWorld(options: TestOptions = {}, debtors = 5, cases = 0): Promise<World> {
  const data = options.rest?.data ?? createData({ administrations: 2, debtors, cases, idLength: 6 });
  const gateway = await freshGateway({
    ...options,
    rest: { ...options.rest, data },
    gateway: { ...FAST, ...options.gateway },
  });
  return { gateway, data };
}

export function changeDebtor({ data }: World, index: number, name: string, updatedAt = new Date()): void {
  const debtor = data.debtors[index];
  if (debtor) Object.assign(debtor, { name, updated_at: updatedAt.toISOString() });
}

export function deleteCase({ data }: World, id: string, debtor = 0, deletedAt = new Date()): void {
  const debtor_id = data.debtors[debtor]?.id ?? '';
  const deleted_at = deletedAt.toISOString();
  const deleted = { id, administration_id: ADMINISTRATION, debtor_id, deleted_at };
  Object.assign(data.deletedCreditCases, { [data.deletedCreditCases.length]: deleted });
}

export const DEBTORS = 'kinds: [DEBTOR_CHANGED]';
const SELECTED = `eventId cursor kind
  ... on DebtorChanged { debtor { internalId name } }
  ... on CreditCaseDeleted { deletedCreditCase { internalId } }`;

export interface Subscription {
  readonly args?: string;
  readonly selection?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Told {
  readonly id: string | undefined;
  readonly eventId: string;
  readonly cursor: string;
  readonly kind: string;
  readonly debtor?: { readonly internalId: string; readonly name: string };
  readonly deletedCreditCase?: { readonly internalId: string };
}

export interface ToldError {
  readonly message: string;
  readonly extensions: {
    readonly code: string;
    readonly cursor?: string;
    readonly ends?: boolean;
    readonly retryAfter?: number;
  };
}

export class OpenStream {
  readonly status: number;
  readonly headers: Headers;
  readonly #reader: StreamReader;
  readonly #sent = new GrowingEvents();
  readonly #events: Told[] = [];
  readonly #errors: ToldError[] = [];
  #read = 0;

  constructor(response: Response) {
    this.status = response.status;
    this.headers = response.headers;
    this.#reader = new StreamReader(response);
  }

  get events(): Told[] {
    return [...this.#sorted().events];
  }

  get errors(): ToldError[] {
    return [...this.#sorted().errors];
  }

  get names(): (string | undefined)[] {
    return this.events.map(({ debtor }) => debtor?.name);
  }

  get text(): string {
    return this.#reader.text;
  }

  get isComplete(): boolean {
    return this.text.includes('event: complete');
  }

  /** Each event once: a test asks for them with every chunk. */
  #sorted() {
    const sent = this.#sent.in(this.#reader.text);
    for (const { event, id, data } of sent.slice(this.#read)) {
      if (event !== 'next') continue;
      const { data: result, errors = [] } = Object(data);
      if (result) this.#events.push({ ...result.changes, id });
      this.#errors.push(...errors);
    }
    this.#read = sent.length;
    return { events: this.#events, errors: this.#errors };
  }

  async untilEvents(count: number): Promise<Told[]> {
    await this.#reader.until(() => this.#sorted().events.length >= count);
    return this.events;
  }

  /** Reads until records with these names have arrived, in any order. */
  async untilNames(...names: readonly string[]): Promise<void> {
    await this.#reader.until(() => names.every((name) => this.names.includes(name)));
  }

  async untilError(count = 1): Promise<ToldError> {
    await this.#reader.until(() => this.#sorted().errors.length >= count);
    const error = this.errors[count - 1];
    if (error === undefined) throw new Error(`There are ${this.errors.length} errors`);
    return error;
  }

  async toEnd(): Promise<this> {
    await this.#reader.toEnd();
    return this;
  }

  async close(): Promise<void> {
    await this.#reader.cancel();
  }
}

export async function subscribe(
  { url }: TestGateway,
  { args = DEBTORS, selection = SELECTED, headers = {} }: Subscription = {},
): Promise<OpenStream> {
  const query = `subscription { changes(administrationId: "${ADMINISTRATION}" ${args}) { ${selection} } }`;
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  return new OpenStream(await postTo(url, query, { ...SSE, ...headers }, abort));
}
