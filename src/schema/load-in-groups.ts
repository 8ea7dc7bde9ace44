/** Requests that share one read, and the function that returns the result of each. */
interface Group<Request, Result> {
  readonly members: [Request, ...Request[]];
  resultOf: (request: Request) => Result | Error;
}

/**
 * Loads requests in groups of the same key, and returns the results in the order of the requests. If a group fails,
 * the results of its requests are Errors, which DataLoader turns into rejections.
 */
export async function loadInGroups<Request, Result>(
  requests: readonly Request[],
  groupKeyOf: (request: Request) => string,
  read: (first: Request, members: readonly Request[]) => Promise<Group<Request, Result>['resultOf']>,
): Promise<(Result | Error)[]> {
  const [first] = requests;
  if (first !== undefined && requests.length === 1) return [(await read(first, requests))(first)];
  const groups = new Map<string, Group<Request, Result>>();
  const grouped = requests.map((request) => {
    const name = groupKeyOf(request);
    let group = groups.get(name);
    if (group) {
      group.members.push(request);
    } else {
      group = { members: [request], resultOf: () => new Error('a request was not answered') };
      groups.set(name, group);
    }
    return { request, group };
  });
  const [only] = groups.values();
  if (only && groups.size === 1) return requests.map(await read(only.members[0], requests));
  await Promise.all(
    Array.from(groups.values(), async (group) => {
      group.resultOf = await read(group.members[0], group.members).catch((error) => () => asError(error));
    }),
  );
  return grouped.map(({ request, group }) => group.resultOf(request));
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
