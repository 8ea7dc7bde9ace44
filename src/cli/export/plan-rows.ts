import { GraphQLError } from 'graphql';
import { planOperation } from '../../execution/operation.ts';
import { givenFirst } from '../../export/export-plan.ts';
import { findExportedList } from '../../export/exported-list.ts';
import { parseBounded, validateBounded } from '../../request/documents.ts';
import { RestError } from '../../rest/errors.ts';
import { schema } from '../../schema/index.ts';
import { wrongInput } from '../failure.ts';
import { BY_THIS_SCHEMA, type SentOperation } from '../gateway.ts';

/** What the document tells about the rows before any has come. */
export type RowPlan = Readonly<ReturnType<typeof planRows>>;

/** Reads the document as the gateway does, against the schema of this version; throws what the gateway would say. */
export function planRows({ query, variables, operationName }: SentOperation) {
  try {
    const document = parseBounded(query);
    const problems = validateBounded(schema, document);
    if (problems.length > 0) throw wrongInput([...problems, BY_THIS_SCHEMA].join('\n'));
    const planned = planOperation({ schema, document, variableValues: variables, operationName });
    const { columns, list, rows, isPaged } = findExportedList(planned);
    return {
      columns,
      /** The most rows that the document asks for, however many requests they take. */
      limit: givenFirst(isPaged ? list : rows, planned.variables),
      /** Without cursors, as groups and totals are, an export that breaks off starts anew. */
      hasCursors: isPaged,
    };
  } catch (thrown) {
    const errors: unknown[] = thrown instanceof AggregateError ? thrown.errors : [thrown];
    const known = errors.filter((error) => error instanceof GraphQLError || error instanceof RestError);
    if (known.length === 0) throw thrown;
    // A GraphQLError shows the place in the document.
    throw wrongInput(
      known.map((error) => (error instanceof RestError ? error.message : `${error}`)).join('\n'),
    );
  }
}
