import { Cancellation } from '../cancellation.ts';
import { covers, type Fields } from '../fields.ts';

interface InFlightRequest<T> {
  readonly key: string;
  readonly fields: Fields;
  readonly startedAt: number;
  /** Aborted when all waiting callers have aborted. */
  readonly cancellation: Cancellation;
  readonly response: Promise<T>;
  waiting: number;
}

/** Requests in flight, which equal ones join. They are few: outgrown tables of a Map would keep contents alive. */
export class InFlightRequests<T> {
  readonly #requests: InFlightRequest<T>[] = [];

  /** Joins a request whose response covers `fields`, and that was sent after `since`; or else sends one. */
  join(
    { key, fields, since = 0 }: { readonly key: string; readonly fields: Fields; readonly since?: number },
    cancellation: Cancellation,
    send: (shared: Cancellation) => Promise<T>,
  ): { readonly isCoalesced: boolean; readonly response: Promise<T> } {
    const found = this.#requests.find(
      (request) =>
        request.key === key &&
        request.startedAt >= since &&
        !request.cancellation.isAborted &&
        covers(request.fields, fields),
    );
    const request = found ?? this.#start(key, fields, send);
    request.waiting += 1;
    const leave = () => {
      request.waiting -= 1;
      if (request.waiting === 0) request.cancellation.abort('closed');
    };
    return { isCoalesced: found !== undefined, response: cancellation.limit(request.response, leave) };
  }

  #start(key: string, fields: Fields, send: (shared: Cancellation) => Promise<T>): InFlightRequest<T> {
    const cancellation = new Cancellation();
    const startedAt = performance.now();
    const request = { key, fields, startedAt, cancellation, response: send(cancellation), waiting: 0 };
    this.#requests.push(request);
    const remove = () => void this.#requests.splice(this.#requests.indexOf(request), 1);
    request.response.then(remove, remove);
    return request;
  }
}
