import { getNullableType, isIntrospectionType, isListType, OperationTypeNode } from 'graphql';
import { compositeKey } from '../composite-key.ts';
import type { PlannedOperation } from '../execution/operation.ts';
import type { FieldPlan, ObjectPlan } from '../execution/plan.ts';
import { weakMemoize } from '../memoize.ts';
import { isObject } from '../rest/json.ts';
import { countParts, leastParts } from '../rest/query.ts';
import type { CostScope, Estimate, KeyedCalls, Read } from '../schema/fields/estimate.ts';
import type { LeastRead } from '../schema/fields/least.ts';
import { restMetadataOf } from '../schema/fields/metadata.ts';

export interface CostLimits {
  readonly maxCalls: number;
  readonly maxObjects: number;
  readonly maxFirst: number;
}

/** The cost of fields that run at the same time. */
export interface Count {
  /** The upper estimate, and what they need in any case. */
  readonly calls: number;
  readonly leastCalls: number;
  /** Whether `calls` are those of one administration of a token, which may reach any number of them. */
  readonly isUnbounded: boolean;
  readonly objects: number;
  /** The length of their arguments. */
  readonly argumentLength: number;
  /** If `leastCalls` are more than allowed: how many of them each field is the first to need. */
  readonly leastByPath?: ReadonlyMap<string, number> | undefined;
}

/** Written out, since spreading scopes took most of the time of an estimate. */
function nestedScope(
  parent: CostScope,
  estimate: Estimate | undefined,
  { records, origin, certain, isRepeated }: Pick<CostScope, 'records' | 'origin' | 'certain' | 'isRepeated'>,
): CostScope {
  const changed = estimate?.scope;
  return {
    origin,
    records,
    certain,
    isRepeated,
    rows: changed?.rows ?? parent.rows,
    administration: changed?.administration ?? parent.administration,
    administrations: changed?.administrations ?? parent.administrations,
    isUnbounded: changed?.isUnbounded ?? parent.isUnbounded,
    maxFirst: parent.maxFirst,
  };
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

const NOTHING: readonly never[] = [];

/** A lookup of all fields that share it. */
interface SharedLookup extends Pick<KeyedCalls, 'areUnique'> {
  readonly keys: Set<string>;
  room: number;
  times: number;
}

/** More than these are not told apart in a refusal. */
const MOST_LEAST_READS = 1_000;

/**
 * Of all arguments together, wherever they are used: an operation may name one variable thousands of times, and a field
 * is asked for in each row. They are read, decoded and encoded in one turn of the event loop.
 */
export const MAX_ARGUMENT_LENGTH = 1_250_000;
/** As how many characters a value counts, an input object, and a field with arguments in a row. */
const VALUE_LENGTH = 25;
const OBJECT_LENGTH = 100;
const ROW_LENGTH = 250;

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_LENGTH + value.length;
  if (Array.isArray(value)) return value.length === 1 ? lengthOf(value[0]) : listLength(value);
  return isObject(value) ? OBJECT_LENGTH + membersLength(value) : VALUE_LENGTH;
}

/** Remembered, since all aliases that use one variable share its list. */
const listLength = weakMemoize((list: readonly unknown[]) => {
  let length = 0;
  for (const item of list) length += lengthOf(item);
  return length;
});

function membersLength(members: { readonly [name: string]: unknown }): number {
  let length = 0;
  for (const name in members) length += lengthOf(members[name]);
  return length;
}

function argumentsLength(args: { readonly [name: string]: unknown } | undefined, isInRows: boolean): number {
  const length = args ? membersLength(args) : 0;
  return length > 0 && isInRows ? length + ROW_LENGTH : length;
}

/** Counts what fields cost, until it is too much. */
export class CostCounter {
  readonly #planned: PlannedOperation;
  readonly #limits: CostLimits;
  readonly #isMutation: boolean;
  readonly #calls = new Map<string, number>();
  readonly #lookups = new Map<string, SharedLookup>();
  /** The least reads by name: the values to ask for, none for a single call, and the first field that needs it. */
  readonly #least = new Map<string, { readonly values: Set<string>; readonly path: string }>();
  /** The keys of the field that is visited, from the root on. */
  readonly #path: string[] = [];
  #isUnbounded = false;
  #objects = 0;
  #argumentLength = 0;

  constructor(planned: PlannedOperation, limits: CostLimits) {
    this.#planned = planned;
    this.#limits = limits;
    this.#isMutation = planned.definition.operation === OperationTypeNode.MUTATION;
  }

  count(fields: readonly FieldPlan[]): Count {
    for (const field of fields) {
      this.#visitField(field, {
        origin: '',
        records: 1,
        rows: 1,
        administration: undefined,
        administrations: 1,
        isUnbounded: false,
        certain: [undefined],
        isRepeated: false,
        maxFirst: this.#limits.maxFirst,
      });
    }
    let calls = 0;
    for (const count of this.#calls.values()) calls += count;
    for (const { keys, areUnique, room, times } of this.#lookups.values())
      calls += times * (areUnique ? countParts(keys, room) : keys.size);
    let leastCalls = 0;
    for (const { values } of this.#least.values()) leastCalls += Math.max(1, leastParts(values));
    return {
      calls,
      leastCalls,
      isUnbounded: this.#isUnbounded,
      objects: this.#objects,
      argumentLength: this.#argumentLength,
      leastByPath: leastCalls > this.#limits.maxCalls ? this.#leastByPath() : undefined,
    };
  }

  #leastByPath(): ReadonlyMap<string, number> {
    const byPath = new Map<string, number>();
    for (const { values, path } of this.#least.values())
      byPath.set(path, (byPath.get(path) ?? 0) + Math.max(1, leastParts(values)));
    return byPath;
  }

  #visitField(plan: FieldPlan, parent: CostScope): void {
    if (this.#isOver()) return;
    this.#path.push(plan.key);
    const { cost, wrapsRecord } = restMetadataOf(plan.field);
    const args = readableArguments(this.#planned, plan);
    this.#argumentLength += parent.records * argumentsLength(args, parent.records > 1);
    if (this.#isOver()) return;
    const estimate = cost?.(args ?? {}, parent, plan);
    const reads = estimate?.reads ?? NOTHING;
    for (const read of reads) {
      this.#add(read);
      this.#isUnbounded ||= parent.isUnbounded;
    }
    const { types } = estimate ?? {};
    const plans = types ? countedPlans(plan).filter(({ type }) => types.has(type.name)) : countedPlans(plan);
    const isRows = wrapsRecord === true && isListType(getNullableType(plan.field.type));
    const records = parent.records * (estimate?.items ?? (isRows ? parent.rows : 1));
    const isRepeated = parent.isRepeated || (reads.length > 0 && parent.records > 1);
    this.#objects += parent.records * (estimate?.values ?? 0);
    // How many rows a list has is not known, and the objects of a query are counted as it runs. What is read for each row
    // is asked for before any of it can be counted there.
    const isCounted = this.#isMutation || isRepeated || estimate?.items !== undefined;
    if (plans.length > 0 && isCounted) this.#objects += records;
    if (args !== undefined && parent.certain.length > 0 && !this.#isOver())
      this.#addLeast(estimate?.least?.() ?? NOTHING, plans);
    for (const objectPlan of plans) {
      const fields = countedFields(objectPlan);
      if (fields.length === 0) continue;
      const origin = estimate?.scope?.origin ?? parent.origin;
      const scope = nestedScope(parent, estimate, {
        records,
        isRepeated,
        certain:
          estimate?.scope?.certain?.(objectPlan.type.name) ?? (reads.length > 0 ? NOTHING : parent.certain),
        // Records of different types come from different calls.
        origin: plans.length > 1 ? compositeKey('type', objectPlan.type.name, origin) : origin,
      });
      for (const field of fields) this.#visitField(field, scope);
    }
    this.#path.pop();
  }

  #add({ name, calls }: Read): void {
    if (typeof calls === 'number') {
      this.#calls.set(name, Math.max(calls, this.#calls.get(name) ?? 0));
      return;
    }
    const { areUnique, room, times } = calls;
    let lookup = this.#lookups.get(name);
    if (lookup === undefined) {
      lookup = { keys: new Set(), areUnique, room, times };
      this.#lookups.set(name, lookup);
    }
    lookup.room = Math.min(lookup.room, room);
    lookup.times = Math.max(lookup.times, times);
    for (const key of calls.keys) lookup.keys.add(key);
  }

  /** Whether the operation is refused, whatever else it asks for. */
  #isOver(): boolean {
    const { maxObjects, maxCalls } = this.#limits;
    return (
      this.#argumentLength > MAX_ARGUMENT_LENGTH ||
      this.#objects > maxObjects ||
      this.#least.size > Math.max(maxCalls, MOST_LEAST_READS)
    );
  }

  #addLeast(reads: readonly LeastRead[], plans: readonly ObjectPlan[]): void {
    if (reads.length === 0) return;
    const path = this.#path.join('.');
    for (const { name, values = [], type } of reads) {
      if (type !== undefined && !plans.some((plan) => plan.type.name === type)) continue;
      const known = this.#least.get(name) ?? { values: new Set(), path };
      this.#least.set(name, known);
      for (const value of values) known.values.add(value);
    }
  }
}

/** Undefined if they are invalid, which is an error only when the field is executed. */
function readableArguments(planned: PlannedOperation, plan: FieldPlan) {
  try {
    return planned.argumentsOf(plan);
  } catch {
    return undefined;
  }
}
