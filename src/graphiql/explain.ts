import { isRecord, parseJson } from './json.ts';

/** One REST call behind a response. Members that the gateway omitted are null. */
export interface RestCall {
  readonly method: string | null;
  readonly path: string | null;
  readonly parameters: readonly (readonly [name: string, value: string])[];
  readonly status: number | null;
  readonly milliseconds: number | null;
  readonly bytes: number | null;
  readonly rows: number | null;
  /** `network`, `cache`, or `coalesced` (joined a call in flight). */
  readonly source: string | null;
}

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

/** Reads `extensions.explain` and `extensions.cost` of a response; undefined if it has neither. */
export function explainResponse(response: string): Explanation | undefined {
  const body = parseJson(response);
  const extensions = isRecord(body) && isRecord(body.extensions) ? body.extensions : {};
  const { explain, cost } = extensions;
  if (!Array.isArray(explain) && !isRecord(cost)) return undefined;
  return {
    calls: Array.isArray(explain) ? explain.filter(isRecord).map(readCall) : [],
    cost: readCost(isRecord(cost) ? cost : {}),
  };
}

function readCall(call: Record<string, unknown>): RestCall {
  return {
    method: text(call.method),
    path: text(call.path),
    parameters: Object.entries(isRecord(call.parameters) ? call.parameters : {}).map(
      ([name, value]) => [name, formatParameter(value)] as const,
    ),
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

/** Omits JSON punctuation: formats `{only: ['name', {address: {only: ['city']}}]}` as `name, address(city)`. */
function formatParameter(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatParameter).join(', ');
  if (!isRecord(value)) return String(value);
  const entries = Object.entries(value).map(([name, inner]) =>
    name === 'only' ? formatParameter(inner) : `${name}(${formatParameter(inner)})`,
  );
  return entries.join(', ');
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
