import { ApolloLink } from '@apollo/client';
import { RetryLink } from '@apollo/client/link/retry';
import { tap } from 'rxjs';

/** Returns the cursor of the last event or, before the first one, of the start of the stream. */
function cursorOf(operation: ApolloLink.Operation): string | null | undefined {
  const { cursor, response } = operation.getContext();
  return cursor ?? response?.headers.get('last-event-id');
}

/** Put it before the `HttpLink`. If a stream breaks or ends, a subscription that selects `cursor` resumes. */
export const resumeLink = ApolloLink.from([
  new RetryLink({
    attempts: { max: Infinity, retryIf: (_error, operation) => Boolean(cursorOf(operation)) },
    delay: { initial: 500, max: 15_000 },
  }),
  new ApolloLink((operation, forward) => {
    const cursor = cursorOf(operation);
    if (cursor)
      operation.setContext(({ headers }) => ({ cursor, headers: { ...headers, 'last-event-id': cursor } }));
    return forward(operation).pipe(
      tap(({ data, errors }) => {
        const { cursor, ends } = data?.changes ?? errors?.[0]?.extensions ?? {};
        if (cursor) operation.setContext({ cursor });
        // The gateway restarts or the token has expired: `RetryLink` retries after this error.
        if (cursor && ends) throw new Error(errors?.[0]?.message);
      }),
    );
  }),
]);
