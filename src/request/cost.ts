import { getNullableType, isIntrospectionType, isListType, OperationTypeNode } from 'graphql';
import { compositeKey } from '../composite-key.ts';
import { truncate } from '../execution/input-words.ts';
import type { PlannedOperation } from '../execution/operation.ts';
import type { FieldPlan, ObjectPlan } from '../execution/plan.ts';
import { tooExpensive } from '../http/errors.ts';
import { getOrCreate, weakMemoize } from '../memoize.ts';
import { isObject } from '../rest/json.ts';
import { countParts, leastParts } from '../rest/query.ts';
import {
  type CostScope,
  type Estimate,
  ifValid,
  type LeastRead,
  type Read,
  sumOf,
} from '../schema/fields/estimate.ts';
import { restMetadataOf } from '../schema/fields/metadata.ts';

export interface CostLimits {
  readonly maxCalls: number;
  readonly maxObjects: number;
  readonly maxFirst: number;
}

/**
 * The cost of an operation. Throws if it must not run: a query that needs too many calls in any case, a mutation that
 * may need too many, since none of its writes is made unless all can be.
 */
export function estimateCost(planned: PlannedOperation, limits: CostLimits): Cost {
  const cost = cachedOrCounted(planned, limits);
  const { calls, leastCalls, callsByField, leastByPath, objects, argumentLength } = cost;
  const { maxCalls, maxObjects } = limits;
  requireShort(argumentLength);
  if (objects > maxObjects)
    throw tooExpensive(
      `The operation asks for more than ${maxObjects} objects: rows of lists inside lists multiply. ` +
        'Ask for fewer rows or fewer lists.',
    );
  const isMutation = planned.definition.operation === OperationTypeNode.MUTATION;
  if (isMutation && calls > maxCalls)
    throw tooExpensive(
      `The operation would need about ${calls} REST calls, and at most ${maxCalls} are allowed: ` +
        `${heaviest(callsByField)}. Ask for fewer rows or fewer lists.`,
    );
  if (!isMutation && leastCalls > maxCalls)
    throw tooExpensive(
      `The operation needs at least ${leastCalls} REST calls, and at most ${maxCalls} are allowed: ` +
        `${heaviest(leastByPath)}. Ask for fewer lists or records at a time.`,
    );
  return cost;
}

/** For an export, which has no other limits: of the fields that lead to its list. */
export function requireShortArguments(given: readonly Readonly<Record<string, unknown>>[]): void {
  requireShort(sumOf(given.map(membersLength)));
}

function requireShort(argumentLength: number): void {
  if (argumentLength > MAX_ARGUMENT_LENGTH)
    throw tooExpensive(
      `The arguments of the operation hold more than ${MAX_ARGUMENT_LENGTH} characters. A variable counts wherever it is ` +
        'used, and an argument in each row. Send fewer or shorter values, or several operations.',
    );
}

/** As many as a message has room for. */
const MOST_NAMED = 5;
const MAX_PATH_LENGTH = 80;

function heaviest(callsByPath: ReadonlyMap<string, number>): string {
  const sorted = [...callsByPath].sort(([, one], [, other]) => other - one);
  const named = sorted
    .slice(0, MOST_NAMED)
    .map(([path, calls]) => `\`${truncate(path, MAX_PATH_LENGTH)}\` ${calls}`);
  const others = sumOf(sorted.slice(MOST_NAMED).map(([, calls]) => calls));
  return [...named, ...(others > 0 ? [`others ${others}`] : [])].join(', ');
}

const MAX_EVENTS_AT_ONCE = 100;
/** As how many characters of arguments a byte of a plan counts: a field of a kilobyte takes some microseconds. */
const PLAN_LENGTH = 0.25;

/** How many events are executed together, which takes one turn of the event loop, if the limit is for all of them. */
export function eventsAtOnce({ argumentLength }: Pick<Cost, 'argumentLength'>, planBytes: number): number {
  const count = Math.floor(MAX_ARGUMENT_LENGTH / (argumentLength + planBytes * PLAN_LENGTH));
  return Math.max(1, Math.min(MAX_EVENTS_AT_ONCE, count));
}

const cachedCosts = new WeakMap<ObjectPlan, Cost>();

function cachedOrCounted(planned: PlannedOperation, limits: CostLimits): Cost {
  if (planned.definition.variableDefinitions?.length) return new Cost(planned, limits);
  return getOrCreate(cachedCosts, planned.root, () => new Cost(planned, limits));
}

/** Introspection makes no REST calls, and its objects are counted during execution. */
const countedPlans = weakMemoize((plan: FieldPlan) =>
  plan.objectPlans().filter(({ type }) => !isIntrospectionType(type)),
);

/** Leaves of records take neither calls nor objects of their own. */
const countedFields = weakMemoize((plan: ObjectPlan) =>
  plan.fields.filter(
    (field) => restMetadataOf(field.field).cost !== undefined || field.objectPlans().length > 0,
  ),
);

const NO_READS: Estimate = { reads: [] };

interface SharedRead {
  calls: number;
  times: number;
  room: number;
  readonly keys: Set<string>;
}

/** More than these are not told apart in a refusal. */
const MOST_LEAST_READS = 1_000;

/**
 * Of all arguments together, wherever they are used: an operation may name one variable thousands of times, and a field
 * is asked for in each row. They are read, decoded and encoded in one turn of the event loop.
 */
const MAX_ARGUMENT_LENGTH = 1_250_000;
/** As how many characters a value counts, an input object, and a field with arguments in a row. */
const VALUE_LENGTH = 60;
const OBJECT_LENGTH = 100;
const ROW_LENGTH = 250;

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_LENGTH + value.length;
  if (Array.isArray(value)) return listLength(value);
  return isObject(value) ? OBJECT_LENGTH + membersLength(value) : VALUE_LENGTH;
}

function membersLength(members: Readonly<Record<string, unknown>>): number {
  let length = 0;
  for (const name in members) length += lengthOf(members[name]);
  return length;
}

/** Remembered, since all aliases that use one variable share its list. */
const listLength = weakMemoize((list: readonly unknown[]) => sumOf(list.map(lengthOf)));

/** What an operation costs, as far as that is known before it runs; counted until it is too much. */
export class Cost {
  /** The upper estimate, and what it needs in any case. */
  calls = 0;
  leastCalls = 0;
  /** Of a mutation: the estimated calls of each of its fields. */
  readonly callsByField = new Map<string, number>();
  /** How many of the least calls each field is the first to need. */
  readonly leastByPath = new Map<string, number>();
  /** Whether `calls` are those of one administration of a token, which may reach any number of them. */
  isUnbounded = false;
  objects = 0;
  argumentLength = 0;

  readonly #planned: PlannedOperation;
  readonly #limits: CostLimits;
  readonly #isMutation: boolean;
  readonly #reads = new Map<string, SharedRead>();
  /** The least reads by name: the values to ask for, none for a single call, and the first field that needs it. */
  readonly #least = new Map<string, { readonly values: Set<string>; readonly path: string }>();
  /** The keys of the field that is visited, from the root on. */
  readonly #path: string[] = [];

  constructor(planned: PlannedOperation, limits: CostLimits) {
    this.#planned = planned;
    this.#limits = limits;
    this.#isMutation = planned.definition.operation === OperationTypeNode.MUTATION;
    for (const field of planned.root.fields) {
      this.#visitField(field, {
        origin: '',
        records: 1,
        rows: 1,
        administration: undefined,
        administrations: 1,
        isUnbounded: false,
        certain: [undefined],
        isRepeated: false,
        maxFirst: limits.maxFirst,
      });
      // Mutations run one after another, so their nested reads never share a batch.
      if (this.#isMutation) this.callsByField.set(field.key, this.#addUp());
    }
    if (!this.#isMutation) this.#addUp();
  }

  /** Adds what was read since the last time; returns its calls. */
  #addUp(): number {
    let sum = 0;
    for (const { calls, keys, room, times } of this.#reads.values())
      sum += calls + times * countParts(keys, room);
    this.calls += sum;
    for (const { values, path } of this.#least.values()) {
      const least = Math.max(1, leastParts(values));
      this.leastCalls += least;
      this.leastByPath.set(path, (this.leastByPath.get(path) ?? 0) + least);
    }
    this.#reads.clear();
    this.#least.clear();
    return sum;
  }

  #visitField(plan: FieldPlan, parent: CostScope): void {
    if (this.#isOver()) return;
    this.#path.push(plan.key);
    const { cost, wrapsRecord } = restMetadataOf(plan.field);
    const args = ifValid(() => this.#planned.argumentsOf(plan));
    const length = args ? membersLength(args) : 0;
    this.argumentLength += parent.records * (length > 0 && parent.records > 1 ? length + ROW_LENGTH : length);
    if (this.#isOver()) return;
    const estimate = cost?.(args ?? {}, parent, plan) ?? NO_READS;
    const { reads, least, items, types, values = 0, scope } = estimate;
    for (const read of reads) this.#add(read);
    this.isUnbounded ||= reads.length > 0 && parent.isUnbounded;
    const plans = types ? countedPlans(plan).filter(({ type }) => types.has(type.name)) : countedPlans(plan);
    const isRows = wrapsRecord === true && isListType(getNullableType(plan.field.type));
    const records = parent.records * (items ?? (isRows ? parent.rows : 1));
    const isRepeated = parent.isRepeated || (reads.length > 0 && parent.records > 1);
    this.objects += parent.records * values;
    // How many rows a list has is not known, and the objects of a query are counted as it runs. What is read for each row
    // is asked for before any of it can be counted there.
    const isCounted = this.#isMutation || isRepeated || items !== undefined;
    if (plans.length > 0 && isCounted) this.objects += records;
    if (least && args && parent.certain.length > 0 && !this.#isOver()) this.#addLeast(least(), plans);
    const origin = scope?.origin ?? parent.origin;
    for (const objectPlan of plans) {
      const { name } = objectPlan.type;
      const fields = countedFields(objectPlan);
      if (fields.length === 0) continue;
      // Written out, since spreading scopes took most of the time of an estimate.
      const nested: CostScope = {
        // Records of different types come from different calls.
        origin: plans.length > 1 ? compositeKey('type', name, origin) : origin,
        records,
        rows: scope?.rows ?? parent.rows,
        administration: scope?.administration ?? parent.administration,
        administrations: scope?.administrations ?? parent.administrations,
        isUnbounded: scope?.isUnbounded ?? parent.isUnbounded,
        certain: scope?.certain?.(name) ?? (reads.length > 0 ? [] : parent.certain),
        isRepeated,
        maxFirst: parent.maxFirst,
      };
      for (const field of fields) this.#visitField(field, nested);
    }
    this.#path.pop();
  }

  #add({ name, calls = 0, keys = [], room = 0, times = 0 }: Read): void {
    const shared = this.#reads.get(name) ?? { calls: 0, times: 0, room: 0, keys: new Set() };
    this.#reads.set(name, shared);
    shared.calls = Math.max(shared.calls, calls);
    shared.times = Math.max(shared.times, times);
    shared.room = Math.max(shared.room, room);
    for (const key of keys) shared.keys.add(key);
  }

  /** Whether the operation is refused, whatever else it asks for. */
  #isOver(): boolean {
    const { maxObjects, maxCalls } = this.#limits;
    return (
      this.argumentLength > MAX_ARGUMENT_LENGTH ||
      this.objects > maxObjects ||
      this.#least.size > Math.max(maxCalls, MOST_LEAST_READS)
    );
  }

  #addLeast(reads: readonly LeastRead[], plans: readonly ObjectPlan[]): void {
    const path = this.#path.join('.');
    for (const { name, values = [], type } of reads) {
      if (type !== undefined && !plans.some((plan) => plan.type.name === type)) continue;
      const known = this.#least.get(name) ?? { values: new Set(), path };
      this.#least.set(name, known);
      for (const value of values) known.values.add(value);
    }
  }
}
