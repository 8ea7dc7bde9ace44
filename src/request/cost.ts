import { getNullableType, isListType, OperationTypeNode } from 'graphql';
import { compositeKey } from '../composite-key.ts';
import { truncate } from '../execution/input-words.ts';
import type { PlannedOperation } from '../execution/operation.ts';
import type { FieldPlan } from '../execution/plan.ts';
import { tooExpensive } from '../http/errors.ts';
import { tooManyReads } from '../rest/errors.ts';
import { countParts } from '../rest/query.ts';
import { type CostScope, type Estimate, ifValid, type Read } from '../schema/fields/estimate.ts';
import { restMetadataOf } from '../schema/fields/metadata.ts';

export interface CostLimits {
  readonly maxCalls: number;
  readonly maxFirst: number;
}

/** The most REST calls that an operation makes, with one administration of each token that it introspects. */
export interface Cost {
  readonly calls: number;
  /** The same, with however many administrations. */
  readonly most: number;
  /** Of a mutation: the calls of each of its fields. */
  readonly callsByField: ReadonlyMap<string, number>;
}

/** Throws if the root fields of a query alone need more calls than are allowed. */
export function requireFewReads(planned: PlannedOperation, limits: CostLimits): void {
  // Each root field makes one read or shares that of another; `nodes`, which makes several, looks for itself.
  if (planned.root.fields.length <= limits.maxCalls) return;
  const reads = new Reads(planned);
  for (const field of planned.root.fields) reads.visit(field, rootScope(limits), 1);
  if (reads.size > limits.maxCalls) throw tooManyReads(reads.size, limits.maxCalls);
}

/** Throws if a mutation may need more calls than are allowed: none of its writes is made unless all can be. */
export function mutationCost(planned: PlannedOperation, limits: CostLimits): Cost {
  const cost = estimateCost(planned, limits);
  if (cost.calls <= limits.maxCalls) return cost;
  throw tooExpensive(
    `The operation would need about ${cost.calls} REST calls, and at most ${limits.maxCalls} are allowed: ` +
      `${heaviest(cost.callsByField)}. Ask for fewer rows or fewer lists.`,
  );
}

/** As many as a message has room for. */
const MOST_NAMED = 5;
const MAX_PATH_LENGTH = 80;

function heaviest(callsByField: ReadonlyMap<string, number>): string {
  const sorted = [...callsByField].sort(([, one], [, other]) => other - one);
  const named = sorted
    .slice(0, MOST_NAMED)
    .map(([path, calls]) => `\`${truncate(path, MAX_PATH_LENGTH)}\` ${calls}`);
  const others = sorted.slice(MOST_NAMED).reduce((sum, [, calls]) => sum + calls, 0);
  return [...named, ...(others > 0 ? [`others ${others}`] : [])].join(', ');
}

export function estimateCost(planned: PlannedOperation, limits: CostLimits): Cost {
  const isMutation = planned.definition.operation === OperationTypeNode.MUTATION;
  const callsByField = new Map<string, number>();
  const all: Reads[] = [];
  for (const field of planned.root.fields) {
    // Mutations run one after another, so their nested reads never share a batch.
    const reads = (isMutation ? undefined : all[0]) ?? new Reads(planned);
    if (!all.includes(reads)) all.push(reads);
    reads.visit(field, rootScope(limits));
    if (isMutation) callsByField.set(field.key, reads.calls);
  }
  const calls = all.reduce((sum, reads) => sum + reads.calls, 0);
  // However many administrations a token reaches, no operation makes more calls than are allowed.
  const most = all.some(({ isUnbounded }) => isUnbounded) ? Math.max(calls, limits.maxCalls) : calls;
  return { calls, most, callsByField };
}

function rootScope({ maxFirst }: CostLimits): CostScope {
  return {
    origin: '',
    records: 1,
    rows: 1,
    administration: undefined,
    administrations: 1,
    isUnbounded: false,
    maxFirst,
  };
}

const NO_READS: Estimate = { reads: [] };

interface SharedRead {
  calls: number;
  times: number;
  room: number;
  readonly keys: Set<string>;
}

/** The reads of the fields that are visited: those of one name are made once for all of them. */
class Reads {
  /** Whether some are those of one administration of a token, which may reach any number of them. */
  isUnbounded = false;
  readonly #planned: PlannedOperation;
  readonly #reads = new Map<string, SharedRead>();

  constructor(planned: PlannedOperation) {
    this.#planned = planned;
  }

  get size(): number {
    return this.#reads.size;
  }

  get calls(): number {
    let sum = 0;
    for (const { calls, keys, room, times } of this.#reads.values())
      sum += calls + times * countParts(keys, room);
    return sum;
  }

  /** Visits a field, and what is selected below it to this depth. */
  visit(plan: FieldPlan, parent: CostScope, depth = Number.POSITIVE_INFINITY): void {
    const { cost, wrapsRecord } = restMetadataOf(plan.field);
    const args = cost ? ifValid(() => this.#planned.argumentsOf(plan)) : undefined;
    const { reads, items, types, scope } = (args && cost?.(args, parent, plan)) ?? NO_READS;
    for (const read of reads) this.#add(read);
    this.isUnbounded ||= reads.length > 0 && parent.isUnbounded;
    if (depth <= 1) return;
    const plans = plan.objectPlans().filter(({ type }) => types?.has(type.name) ?? true);
    const isRows = wrapsRecord === true && isListType(getNullableType(plan.field.type));
    const nested = {
      ...parent,
      ...definedIn(scope),
      records: parent.records * (items ?? (isRows ? parent.rows : 1)),
    };
    for (const { type, fields } of plans) {
      // Records of different types come from different calls.
      const origin = plans.length > 1 ? compositeKey('type', type.name, nested.origin) : nested.origin;
      for (const field of fields) this.visit(field, { ...nested, origin }, depth - 1);
    }
  }

  #add({ name, calls = 0, keys = [], room = 0, times = 0 }: Read): void {
    const shared = this.#reads.get(name) ?? { calls: 0, times: 0, room: 0, keys: new Set() };
    this.#reads.set(name, shared);
    shared.calls = Math.max(shared.calls, calls);
    shared.times = Math.max(shared.times, times);
    shared.room = Math.max(shared.room, room);
    for (const key of keys) shared.keys.add(key);
  }
}

function definedIn(scope: Estimate['scope'] = {}): Partial<CostScope> {
  return Object.fromEntries(Object.entries(scope).filter(([, value]) => value !== undefined));
}
