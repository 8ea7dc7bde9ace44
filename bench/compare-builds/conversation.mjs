import { compareAnswers, readAnswer } from './answers.mjs';
import { toHttp } from './requests.mjs';

let runs = 0;

/** Sends the same requests to both builds, one after the other, as a caller whom neither has seen before. */
export async function converse(builds, requests, faults, ignored) {
  runs += 1;
  const number = runs;
  const open = builds.map((build) => build.openRun(number, faults));
  const results = [];
  /** Of the first answer of each build. */
  let cursors;
  for (const request of requests) {
    const ask = async (run, build) => {
      const http = toHttp(request, number, cursorFor(request.after, cursors, build));
      return readAnswer(await run.ask(http, request.events));
    };
    const [a, b] = await Promise.all(open.map(ask));
    cursors ??= [a.cursors, b.cursors];
    const all = compareAnswers(a, b, faults.mode === 'none');
    const differences = isRefusedGuest(request, a, b)
      ? []
      : all.filter((one) => !ignored.includes(one.class));
    results.push({ request, a, b, differences, cursors: aboutCursors(request, a, b, differences) });
  }
  for (const run of open) run.close();
  return results;
}

/** A request may go on after a cursor of its own build, or after one that the other build made. */
function cursorFor(after, cursors = [[], []], build) {
  const from = { old: cursors[0], new: cursors[1], own: cursors[build] }[after?.from] ?? [];
  return from[after?.index % from.length];
}

/** The answer of the build that did not make the cursor. */
const guestAnswer = ({ after }, a, b) => ({ old: b, new: a })[after?.from];

/** A cursor of the other build may be refused, if that has a code. */
function isRefusedGuest(request, a, b) {
  const errors = guestAnswer(request, a, b)?.parts.flatMap((part) => part.errors ?? []) ?? [];
  return errors.some(
    ({ message, extensions }) => extensions?.code === 'BAD_USER_INPUT' && /cursor/i.test(message),
  );
}

function aboutCursors(request, a, b, differences) {
  const said = [];
  if (a.cursors.length > 0)
    said.push(String(a.cursors) === String(b.cursors) ? 'written the same' : 'written otherwise');
  if (!guestAnswer(request, a, b)) return said;
  const outcome = differences.length > 0 ? 'answered otherwise' : 'accepted';
  return [
    ...said,
    `${request.after.from} ones ${isRefusedGuest(request, a, b) ? 'refused' : outcome} by the other`,
  ];
}
