import { isRecord, parseJson } from './json.ts';

/** One REST call behind a response. Members that the gateway omitted are null. */
export interface RestCall {
  readonly method: string | null;
  readonly path: string | null;
  readonly parameters: Parameters;
  readonly status: number | null;
  readonly milliseconds: number | null;
  readonly bytes: number | null;
  readonly rows: number | null;
  /** `network`, `cache`, or `coalesced` (joined a call in flight). */
  readonly source: string | null;
}

export type Parameters = readonly (readonly [name: string, value: string])[];

export interface Cost {
  readonly estimatedCalls: number | null;
  readonly calls: number | null;
  readonly cacheHits: number | null;
  readonly coalesced: number | null;
}

export interface Explanation {
  readonly calls: readonly RestCall[];
  readonly cost: Cost;
}

/**
 * Reads `extensions.explain` and `extensions.cost` of a response: `refused` if the gateway did not run the operation,
 * undefined if the response tells nothing.
 */
export function explainResponse(response: string): Explanation | 'refused' | undefined {
  const body = parseJson(response);
  if (!isRecord(body)) return undefined;
  const { explain, cost } = isRecord(body.extensions) ? body.extensions : {};
  if (!Array.isArray(explain) && !isRecord(cost)) return isRefusal(body) ? 'refused' : undefined;
  return {
    calls: Array.isArray(explain) ? explain.filter(isRecord).map(readCall) : [],
    cost: readCost(isRecord(cost) ? cost : {}),
  };
}

/** An operation that ran has `data`, if only null. Errors of GraphiQL itself have no code. */
function isRefusal({ data, errors }: Record<string, unknown>): boolean {
  return (
    data === undefined &&
    Array.isArray(errors) &&
    errors.some((error) => isRecord(error) && isRecord(error.extensions) && 'code' in error.extensions)
  );
}

function readCall(call: Record<string, unknown>): RestCall {
  return {
    method: text(call.method),
    path: text(call.path),
    parameters: formatParameters(isRecord(call.parameters) ? call.parameters : {}),
    status: number(call.status),
    milliseconds: number(call.milliseconds),
    bytes: number(call.bytes),
    rows: number(call.rows),
    source: text(call.source),
  };
}

function readCost(cost: Record<string, unknown>): Cost {
  return {
    estimatedCalls: number(cost.estimatedCalls),
    calls: number(cost.calls),
    cacheHits: number(cost.cacheHits),
    coalesced: number(cost.coalesced),
  };
}

/** Parameters of a URL or a form are texts and `fields`; what has more structure was a body of JSON. */
function formatParameters(parameters: Record<string, unknown>): Parameters {
  const { fields, ...others } = parameters;
  if (Object.values(others).some(hasObjects)) return [['body', JSON.stringify(parameters)]];
  return Object.entries(parameters).map(([name, value]) => [
    name,
    name === 'fields' ? formatFields(value) : String(Array.isArray(value) ? value.join(', ') : value),
  ]);
}

function hasObjects(value: unknown): boolean {
  return Array.isArray(value) ? value.some(hasObjects) : isRecord(value);
}

/** Omits JSON punctuation: formats `{only: ['name', {address: ['city']}]}` as `name, address(city)`. */
function formatFields(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatFields).join(', ');
  if (!isRecord(value)) return String(value);
  const entries = Object.entries(value).map(([name, inner]) =>
    name === 'only' ? formatFields(inner) : `${name}(${formatFields(inner)})`,
  );
  return entries.join(', ');
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
