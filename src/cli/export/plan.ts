import { GraphQLError, parse, validate } from 'graphql';
import { planOperation } from '../../execution/operation.ts';
import type { Column } from '../../export/csv.ts';
import { givenFirst } from '../../export/export-plan.ts';
import { findExportedList } from '../../export/exported-list.ts';
import { RestError } from '../../rest/errors.ts';
import { schema } from '../../schema/index.ts';
import { version } from '../../version.ts';
import { CommandFailure } from '../failure.ts';
import type { Operation } from '../gateway-request.ts';

/** What the document tells about the rows before any has come. */
export interface RowPlan {
  /** In the order of the document; their paths lead through rows of NDJSON. */
  readonly columns: readonly Column[];
  /** The most rows that the document asks for, however many requests they take. */
  readonly limit: number;
}

const BY_THIS_SCHEMA = `The schema is that of version ${version}: the gateway's should be the same.`;

/** Reads the document as the gateway does, against the schema of this version. */
export function planRows({ query, variables, operationName }: Operation): RowPlan {
  try {
    const document = parse(query);
    const [problem] = validate(schema, document);
    if (problem) throw new CommandFailure(`${sentenceOf(problem)} ${BY_THIS_SCHEMA}`, { status: 2 });
    const planned = planOperation({ schema, document, variableValues: variables, operationName });
    const { columns, list } = findExportedList(planned, false);
    return {
      // A row of NDJSON is the node itself, also where the document asks for edges.
      columns: columns.map((column) => ({ ...column, path: column.name.split('.') })),
      limit: givenFirst(list, planned.variables) ?? Number.POSITIVE_INFINITY,
    };
  } catch (thrown) {
    // Of several, one is enough to begin with.
    const error: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
    if (!(error instanceof GraphQLError || error instanceof RestError)) throw error;
    throw new CommandFailure(sentenceOf(error), { status: 2 });
  }
}

function sentenceOf(error: Error): string {
  const [place] = error instanceof GraphQLError ? (error.locations ?? []) : [];
  return place ? `${error.message} At line ${place.line}, column ${place.column}.` : error.message;
}
