import type { OperationText } from './secrets.ts';

/**
 * A link that opens an operation in GraphiQL: `/graphql#query=…&variables=…&operationName=…`. Browsers send what is
 * behind `#` to no server, so it is in no log.
 */
export function linkTo(page: string, { query, variables, operationName }: OperationText): string {
  const parameters = new URLSearchParams({ query });
  if (variables.trim()) parameters.set('variables', variables);
  if (operationName) parameters.set('operationName', operationName);
  const url = new URL(page);
  url.search = '';
  url.hash = parameters.toString();
  return url.href;
}

/** Reads what is behind `#` in the address of the page; undefined if that is no operation. */
export function readLink(hash: string): OperationText | undefined {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const query = parameters.get('query');
  if (!query?.trim()) return undefined;
  return {
    query,
    variables: parameters.get('variables') ?? '',
    operationName: parameters.get('operationName') ?? undefined,
  };
}
