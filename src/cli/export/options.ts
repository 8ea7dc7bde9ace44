import { statSync } from 'node:fs';
import { GraphQLError } from 'graphql';
import { planOperation } from '../../execution/operation.ts';
import { getRequestedFirst } from '../../export/export-plan.ts';
import { type ExportRequest, readExportRequest } from '../../export/export-request.ts';
import { findExportedList } from '../../export/exported-list.ts';
import { RequestError } from '../../http/errors.ts';
import type { ExportFormat } from '../../http/negotiation.ts';
import { parseWithLimits, validateWithLimits } from '../../request/documents.ts';
import { isObject, parseJson } from '../../rest/json.ts';
import { schema } from '../../schema/index.ts';
import type { ParsedArguments } from '../arguments.ts';
import { inputError, UsageError } from '../failure.ts';
import { BY_THIS_SCHEMA, type SentOperation } from '../gateway.ts';

export function readExportOptions({ values, positionals }: ParsedArguments<'export'>) {
  const [document, further] = positionals;
  const { operation: operationName, url, estimate = false, resume = false, quiet = false } = values;
  const { out = estimate ? '-' : undefined } = values;
  if (document === undefined) throw new UsageError('export needs a file with a query');
  if (further !== undefined) throw new UsageError(`Unexpected argument '${further}'`);
  if (!out) throw new UsageError('export needs --out with a file, or - for standard output');
  const request = readRequest(out, values);
  if (out === '-' && resume) throw new UsageError('--resume needs a file as --out');
  // A device or a pipe would be replaced by a file.
  if (statSync(out, { throwIfNoEntry: false })?.isFile() === false)
    throw new UsageError(`--out takes a file, not '${out}'`);
  const variables = parseJson(values.variables ?? '{}');
  if (!isObject(variables)) throw new UsageError('--variables takes a JSON object');
  return {
    document,
    operation: { variables, operationName },
    url,
    /** Undefined for standard output. */
    out: out === '-' || estimate ? undefined : out,
    request,
    isCompressed: out.endsWith('.gz'),
    ...{ resume, estimate, quiet },
  };
}

/** Returns the format and its options as the gateway reads them from the URL of an export. */
function readRequest(out: string, values: ParsedArguments<'export'>['values']) {
  const { format, separator, decimal, bom, formulas, phones, 'time-zone': timeZone } = values;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ separator, decimal, bom, formulas, phones, timeZone }))
    if (value !== undefined) parameters.set(name, value === true ? '1' : String(value));
  try {
    return readExportRequest(chooseFormat(out, format), `${parameters}`);
  } catch (error) {
    throw error instanceof RequestError ? inputError(error.message.replaceAll('`', '')) : error;
  }
}

function chooseFormat(out: string, option: string | undefined): ExportFormat {
  const format = option ?? (out === '-' ? 'ndjson' : /\.(csv|ndjson)(\.gz)?$/.exec(out)?.[1]);
  if (format === 'csv' || format === 'ndjson') return format;
  throw new UsageError(
    option === undefined
      ? '--out takes a file that ends in .csv, .ndjson, .csv.gz or .ndjson.gz; otherwise give --format'
      : '--format takes csv or ndjson',
  );
}

export type RowPlan = Readonly<ReturnType<typeof planRows>>;

/** Plans the document as the gateway does, against the schema of this version. Throws the gateway's errors. */
export function planRows({ query, variables, operationName }: SentOperation, request: ExportRequest) {
  try {
    const document = parseWithLimits(query);
    const problems = validateWithLimits(schema, document);
    if (problems.length > 0) throw inputError([...problems, BY_THIS_SCHEMA].join('\n'));
    const planned = planOperation({ schema, document, variableValues: variables, operationName });
    const { columns, list, rows, isPaged } = findExportedList(planned, request);
    return {
      columns,
      /** The most rows that the document asks for, however many requests they take. */
      limit: getRequestedFirst(isPaged ? list : rows, planned.variables),
      /** Groups and totals have no cursors, so their export cannot be resumed. */
      hasCursors: isPaged,
    };
  } catch (thrown) {
    const errors: unknown[] = thrown instanceof AggregateError ? thrown.errors : [thrown];
    if (!errors.every((error) => error instanceof GraphQLError)) throw thrown;
    throw inputError(errors.join('\n'));
  }
}
