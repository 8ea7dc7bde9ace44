/** Time series by name and labels, with a value for each minute in Prometheus' notation: `a+bxn`, `axn`. */
type Series = Readonly<Record<string, string>>;

interface AlertCases {
  readonly fires: readonly Series[];
  readonly stays: readonly Series[];
}

const sample = (name: string, labels = '') =>
  `${name}{job="receivables-graphql", instance="a:4000"${labels}}`;

const operations = (outcome: string) =>
  sample('receivables_operations_total', `, type="query", outcome="${outcome}"`);
const calls = (error: string) =>
  sample('http_client_request_duration_seconds_count', `, url_template="/v1/debtors", error_type="${error}"`);
const breaker = sample('receivables_breaker_state', ', endpoint="GET /v1/debtors"');
const shed = sample('receivables_shed_total', ', reason="operations"');
const started = sample('process_start_time_seconds');
const dropped = sample('receivables_log_lines_dropped_total');
const redis = sample('receivables_redis_connected');

/** Operations a minute, and how many of them took at most a second, and at most 5 s. */
function durations(all: number, inOneSecond: number, inFiveSeconds: number): Series {
  const name = 'http_server_request_duration_seconds';
  const bucket = (bound: string) => sample(`${name}_bucket`, `, http_route="/graphql", le="${bound}"`);
  return {
    [bucket('1')]: `0+${inOneSecond}x40`,
    [bucket('2.5')]: `0+${inOneSecond}x40`,
    [bucket('5')]: `0+${inFiveSeconds}x40`,
    [bucket('+Inf')]: `0+${all}x40`,
    [sample(`${name}_count`, ', http_route="/graphql"')]: `0+${all}x40`,
  };
}

/** Timers a minute, and how many were at most 250 ms late. */
function delays(all: number, inTime: number): Series {
  const bucket = (bound: string) => sample('nodejs_eventloop_delay_seconds_bucket', `, le="${bound}"`);
  return {
    [bucket('0.1')]: `0+${inTime}x40`,
    [bucket('0.25')]: `0+${inTime}x40`,
    [bucket('0.5')]: `0+${all}x40`,
    [bucket('+Inf')]: `0+${all}x40`,
  };
}

const heap = (used: string): Series => ({
  [sample('nodejs_heap_size_used_bytes')]: used,
  [sample('nodejs_heap_size_limit_bytes')]: '100x40',
});

/** The cases in which each alert fires after half an hour, and in which it does not. */
export const ALERT_CASES: Readonly<Record<string, AlertCases>> = {
  GatewayDown: {
    fires: [{ [sample('up')]: '1x20 0x20' }, { 'up{job="other"}': '1x40' }],
    stays: [{ [sample('up')]: '1x40' }, { [sample('up')]: '1x28 0 1x10' }],
  },
  GatewayRestarting: {
    fires: [{ [started]: '100x20 200x3 300x2 400x20' }],
    stays: [{ [started]: '100x20 200x20' }],
  },
  InternalErrors: {
    fires: [{ [operations('INTERNAL_SERVER_ERROR')]: '0x25 1x15', [operations('OK')]: '0+1000x40' }],
    stays: [{ [operations('INTERNAL_SERVER_ERROR')]: '0x40', [operations('FORBIDDEN')]: '0+1000x40' }],
  },
  RestServiceFailing: {
    // Each is few, and together they are many.
    fires: [
      { [calls('connection_reset')]: '0+4x40', [calls('status_5xx')]: '0+4x40', [calls('')]: '0+92x40' },
    ],
    stays: [
      { [calls('answer_timeout')]: '0+10x40', [calls('')]: '0+990x40' },
      { [calls('connection_refused')]: '0+1x40' },
      { [calls('status_4xx')]: '0+90x40', [calls('aborted')]: '0+90x40', [calls('')]: '0+10x40' },
    ],
  },
  RestCertificateRefused: {
    fires: [{ [calls('tls_expired')]: '0+1x40' }],
    stays: [{ [calls('tls_expired')]: '5x40', [calls('connection_refused')]: '0+10x40' }],
  },
  BreakerOpen: { fires: [{ [breaker]: '0x25 2 1 2 2 1 2x10' }], stays: [{ [breaker]: '0x28 2 0x10' }] },
  Shedding: { fires: [{ [shed]: '0x20 0+5x20' }], stays: [{ [shed]: '0x27 1x12' }] },
  SlowOperations: {
    fires: [durations(100, 90, 100)],
    stays: [durations(100, 96, 100), durations(1, 0, 0)],
  },
  EventLoopBlocked: { fires: [delays(3000, 2900)], stays: [delays(3000, 2990)] },
  MemoryHigh: { fires: [heap('90x40')], stays: [heap('80x40'), heap('90x25 40 90x14')] },
  LogLinesDropped: { fires: [{ [dropped]: '0x25 5x15' }], stays: [{ [dropped]: '5x40' }] },
  RedisLost: { fires: [{ [redis]: '1x25 0x15' }], stays: [{ [redis]: '1x29 0 1x10' }] },
};

export function promtoolTests(rules: string): object {
  const tests = Object.entries(ALERT_CASES).flatMap(([alert, { fires, stays }]) => [
    ...fires.map((series) => testOf(alert, series, [{ labels: '{}', value: 1 }])),
    ...stays.map((series) => testOf(alert, series, [])),
  ]);
  return { rule_files: [rules], evaluation_interval: '1m', tests };
}

function testOf(alert: string, series: Series, expected: readonly object[]): object {
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}", alertstate="firing"})`,
        eval_time: '30m',
        exp_samples: expected,
      },
    ],
  };
}
