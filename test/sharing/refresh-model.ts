import { FREE, refreshOnce, UNKNOWN } from '../../src/sharing/refreshes.ts';

/** Picks what happens next, of this many possibilities. */
export type Choose = (possibilities: number) => number;

/** The same move that the script makes in Redis. */
export function moveState(state: string, from: readonly string[], to: string): string {
  return from.includes(state) ? to : state;
}

/** A pending step of a replica: a move of the state, or anything else. */
interface Step {
  readonly name: string;
  happen(): void;
  /** The effect of a move without the reply, and the loss of the reply. */
  readonly move?: { apply(): void; lose(): void };
}

export class Replica {
  /** The state to which another has brought it, `sent here`, or undefined as long as it waits, or if it crashed. */
  verdict: string | undefined;
  /** Whether the request has gone out, and whether it has announced that. */
  hasSent = false;
  hasClaimed = false;
  /** Whether it could not reach the states, for good or for as long as it tries. */
  isCut = false;
  hasCrashed = false;
  losses = 0;
  now = 0;
  step: Step | undefined;
  /** All that it has learned: what it does next depends on nothing else. */
  history = '';
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

export interface ModelOptions {
  readonly replicas: number;
  readonly faults: number;
  /** The possible outcomes of sending, named as the states that follow. */
  readonly outcomes?: readonly string[];
}

export interface Run {
  readonly replicas: readonly Replica[];
  readonly events: readonly string[];
  readonly state: string;
  readonly hasLateMoves: boolean;
}

/** So much time passes each time a replica waits: it tries to share three times, and waits for another a few times. */
const WAIT_MS = 400;
const MAX_LOSSES = 3;

/**
 * Runs the protocol in several replicas over one state, for one refresh token. Between any two steps anything may happen
 * that `choose` picks: another replica's step, a crash, a lost reply. Returns undefined once it comes to a situation that
 * is known already.
 */
export async function runModel(
  choose: Choose,
  options: ModelOptions,
  isKnown: (situation: string) => boolean = () => false,
): Promise<Run | undefined> {
  const { outcomes = ['done'] } = options;
  const replicas = Array.from({ length: options.replicas }, (_, index) => new Replica(`r${index}`));
  const events: string[] = [];
  const lateMoves: Step[] = [];
  let state = FREE;
  let faults = options.faults;
  let hasLateMoves = false;

  const later = (replica: Replica, name: string, happen = () => {}) =>
    new Promise<void>((resolve) => {
      replica.step = {
        name: `${replica.name} ${name}`,
        happen() {
          replica.history += ` ${name}`;
          happen();
          resolve();
        },
      };
    });

  const move = (replica: Replica, from: readonly string[], to: string) =>
    new Promise<string>((resolve, reject) => {
      if (replica.isCut) return reject(new Error('lost'));
      const apply = () => {
        state = moveState(state, from, to);
        replica.hasClaimed ||= state === `sent ${replica.name}`;
      };
      const lose = () => {
        replica.step = undefined;
        replica.history += ' lost';
        replica.losses += 1;
        replica.isCut ||= replica.losses === MAX_LOSSES;
        reject(new Error('lost'));
      };
      const happen = () => {
        apply();
        replica.history += ` [${state}]`;
        resolve(state);
      };
      replica.step = { name: `${replica.name} → ${to || 'free'}`, happen, move: { apply, lose } };
    });

  function start(replica: Replica): void {
    const states = {
      move: (_key: string, from: readonly string[], to: string) => move(replica, from, to),
      pause: () =>
        later(replica, 'polls', () => {
          replica.now += replica.isCut ? 100 * WAIT_MS : WAIT_MS;
        }),
      now: () => replica.now,
    };
    const send = async () => {
      const kind = outcomes[choose(outcomes.length)] ?? 'done';
      await later(replica, `sends ${kind}`, () => {
        replica.hasSent = kind !== FREE;
      });
      await later(replica, 'is answered');
      return kind === FREE || kind === UNKNOWN ? kind : `${kind} ${replica.name}`;
    };
    void refreshOnce(states, 'token', replica.name, 0, send).then((verdict) => {
      replica.verdict = verdict ?? 'sent here';
    });
  }

  function faultsOf(replica: Replica): Step[] {
    const { name, step } = replica;
    if (step === undefined) return [];
    const { apply, lose } = step.move ?? {};
    const happensLater = () => {
      if (!apply) return;
      hasLateMoves = true;
      lateMoves.push({ name: `late ${step.name}`, happen: apply });
    };
    const crash = () => {
      replica.hasCrashed = true;
      replica.step = undefined;
      happensLater();
    };
    const cut = (isApplied: boolean) => () => {
      replica.isCut = true;
      if (isApplied) apply?.();
      lose?.();
    };
    const moves = lose
      ? [
          { name: `${step.name} is lost`, happen: lose },
          { name: `${step.name} loses its reply`, happen: () => [apply?.(), lose()] },
          { name: `${step.name} is delayed`, happen: () => [lose(), happensLater()] },
        ]
      : [];
    const cuts = [false, true].map((isApplied) => ({
      name: `${name} is cut off, ${isApplied}`,
      happen: cut(isApplied),
    }));
    return [...moves, { name: `${name} crashes`, happen: crash }, ...(replica.isCut ? [] : cuts)];
  }

  replicas.forEach(start);
  for (;;) {
    // Wait until each has a pending step: no chain of promises between two steps is longer.
    for (let turn = 0; turn < 8; turn += 1) await null;
    const waiting = replicas.flatMap((replica) => (replica.step ? [replica.step] : []));
    if (waiting.length + lateMoves.length === 0) return { replicas, events, state, hasLateMoves };
    const possible = [...waiting, ...lateMoves];
    const harm = faults > 0 && events.length > 0 ? replicas.flatMap(faultsOf) : [];
    const names = [...possible, ...harm].map(({ name }) => name).sort();
    const histories = replicas.map(({ history, isCut, now }) => `${history} ${isCut} ${now}`);
    if (isKnown([state, faults, ...names, ...histories].join('|'))) return undefined;
    // Replicas are alike, so the first may begin.
    const picked = choose(events.length === 0 ? 1 : possible.length + harm.length);
    const step = [...possible, ...harm][picked];
    events.push(step?.name ?? '');
    if (picked >= possible.length) faults -= 1;
    else if (picked >= waiting.length) lateMoves.splice(picked - waiting.length, 1);
    else for (const replica of replicas) if (replica.step === step) replica.step = undefined;
    step?.happen();
  }
}

/** Runs every sequence of choices, as far as it leads to a new situation; returns how many runs that took. */
export async function explore(
  run: (choose: Choose, isKnown: (situation: string) => boolean) => Promise<void>,
): Promise<number> {
  const known = new Set<string>();
  let prefix: number[] = [];
  for (let runs = 1; ; runs += 1) {
    const made: { choice: number; of: number }[] = [];
    const choose = (of: number) => {
      const choice = prefix[made.length] ?? 0;
      made.push({ choice, of });
      return choice;
    };
    const isKnown = (situation: string) => {
      if (made.length < prefix.length) return false;
      const isOld = known.has(situation);
      known.add(situation);
      return isOld;
    };
    await run(choose, isKnown);
    while (made.length > 0 && (made.at(-1)?.choice ?? 0) + 1 === made.at(-1)?.of) made.pop();
    if (made.length === 0) return runs;
    prefix = made.map(({ choice }, index) => (index === made.length - 1 ? choice + 1 : choice));
  }
}
