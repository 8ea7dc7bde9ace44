import {
  type Refresh,
  refreshOnce,
  type SendOutcome,
  type SharedStates,
  type Verdict,
} from '../../src/sharing/refresh-protocol.ts';

/** Picks what happens next, of this many possibilities. */
export type Choose = (possibilities: number) => number;

export interface ModelOptions {
  readonly replicas: number;
  /** Crashes, lost replies, lost connections. */
  readonly faults: number;
  readonly outcomes?: readonly SendOutcome['kind'][];
}

/** What a replica has come to; undefined if it crashed. */
export interface Ending {
  readonly verdict: Verdict | undefined;
  /** Whether the request has gone out. */
  readonly hasSent: boolean;
  /** Whether it has announced that. */
  readonly hasClaimed: boolean;
  /** Whether it could not reach the states, for good or for as long as it tries. */
  readonly isCut: boolean;
  readonly hasCrashed: boolean;
}

export interface Run {
  readonly endings: readonly Ending[];
  /** What happened, in order. */
  readonly events: readonly string[];
  readonly state: string;
  readonly hasLateMoves: boolean;
}

/** The same move that the script makes in Redis. */
export function moveState(state: string, from: readonly string[], to: string): string {
  return from.includes(state) ? to : state;
}

interface Step {
  readonly name: string;
  /** The replica that takes it; its crash takes the step away. */
  readonly replica: Replica | undefined;
  happen(): void;
}

interface MoveStep extends Step {
  /** The effect without the reply. */
  apply(): void;
  lose(): void;
}

class Replica {
  verdict: Verdict | undefined;
  hasSent = false;
  hasClaimed = false;
  isCut = false;
  losses = 0;
  hasCrashed = false;
  now = 0;
  /** All that it has learned: what it does next depends on nothing else. */
  history = '';
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** So much time passes each time a replica waits: it tries to share three times, and waits for another a few times. */
const WAIT_MS = 400;
const MAX_LOSSES = 3;

/**
 * Runs the protocol in several replicas over one state, for one refresh token. Between any two steps anything may
 * happen that `choose` picks: another replica's step, a crash, a lost reply. Returns undefined
 * once it comes to a situation that is known already.
 */
export async function runModel(
  choose: Choose,
  options: ModelOptions,
  isKnown: (situation: string) => boolean = () => false,
): Promise<Run | undefined> {
  const { outcomes = ['done'] } = options;
  const replicas = Array.from({ length: options.replicas }, (_, index) => new Replica(`r${index}`));
  const events: string[] = [];
  const steps = new Set<Step>();
  const moves = new Set<MoveStep>();
  let state = '';
  let faults = options.faults;
  let hasLateMoves = false;

  /** A step that is taken once it is picked. */
  function later<T>(name: string, replica: Replica, happen: () => T): Promise<T> {
    return new Promise((resolve) => {
      const step = {
        name: `${replica.name} ${name}`,
        replica,
        happen() {
          steps.delete(step);
          replica.history += ` ${name}`;
          resolve(happen());
        },
      };
      steps.add(step);
    });
  }

  /** A command that takes effect later, if at all: nobody waits for it. */
  function addLateMove(name: string, apply: () => void): void {
    hasLateMoves = true;
    const step: Step = {
      name: `late ${name}`,
      replica: undefined,
      happen() {
        steps.delete(step);
        apply();
      },
    };
    steps.add(step);
  }

  function statesOf(replica: Replica): SharedStates {
    return {
      move(_key, from, to) {
        if (replica.isCut) return Promise.reject(new Error('lost'));
        return new Promise((resolve, reject) => {
          const apply = () => {
            state = moveState(state, from, to);
            if (state === `sent ${replica.name}`) replica.hasClaimed = true;
          };
          const end = () => {
            steps.delete(step);
            moves.delete(step);
          };
          const step: MoveStep = {
            name: `${replica.name} → ${to || 'free'}`,
            replica,
            apply,
            happen() {
              end();
              apply();
              replica.history += ` [${state}]`;
              resolve(state);
            },
            lose() {
              end();
              replica.history += ' lost';
              replica.losses += 1;
              if (replica.losses === MAX_LOSSES) replica.isCut = true;
              reject(new Error('lost'));
            },
          };
          steps.add(step);
          moves.add(step);
        });
      },
      pause: () =>
        later('polls', replica, () => {
          replica.now += replica.isCut ? 100 * WAIT_MS : WAIT_MS;
        }),
      now: () => replica.now,
    };
  }

  function refreshOf(replica: Replica): Refresh {
    return {
      key: 'token',
      owner: replica.name,
      sendMs: 0,
      async send() {
        const kind = outcomes[choose(outcomes.length)] ?? 'done';
        replica.history += ` ${kind}`;
        await later('sends', replica, () => {
          replica.hasSent = kind !== 'unsent';
        });
        await later('is answered', replica, () => {});
        return kind === 'done' || kind === 'refused' ? { kind, sealed: replica.name } : { kind };
      },
    };
  }

  /** All that may happen now. */
  function possibilities(): { readonly name: string; happen(): void }[] {
    const possible: { readonly name: string; happen(): void }[] = [...steps];
    // Replicas are alike, so the first may begin.
    if (events.length === 0) return possible.slice(0, 1);
    if (faults === 0) return possible;
    const fault = (name: string, happen: () => void) =>
      possible.push({
        name,
        happen() {
          faults -= 1;
          happen();
        },
      });
    for (const move of moves) {
      fault(`${move.name} is lost`, () => move.lose());
      fault(`${move.name} loses its reply`, () => {
        move.apply();
        move.lose();
      });
      fault(`${move.name} is delayed`, () => {
        move.lose();
        addLateMove(move.name, move.apply);
      });
    }
    for (const replica of replicas) {
      const own = [...steps].filter((step) => step.replica === replica);
      if (own.length === 0) continue;
      fault(`${replica.name} crashes`, () => {
        replica.hasCrashed = true;
        for (const step of own) steps.delete(step);
        for (const move of moves) {
          if (move.replica !== replica) continue;
          moves.delete(move);
          addLateMove(move.name, move.apply);
        }
      });
      if (replica.isCut) continue;
      for (const isApplied of [false, true]) {
        fault(`${replica.name} is cut off ${isApplied ? 'after' : 'before'} its last move`, () => {
          replica.isCut = true;
          for (const move of [...moves].filter((step) => step.replica === replica)) {
            if (isApplied) move.apply();
            move.lose();
          }
        });
      }
    }
    return possible;
  }

  for (const replica of replicas) {
    void refreshOnce(statesOf(replica), refreshOf(replica)).then((verdict) => {
      replica.verdict = verdict;
    });
  }
  for (;;) {
    await settle();
    const possible = possibilities();
    if (steps.size === 0) break;
    const names = possible.map(({ name }) => name).sort();
    const histories = replicas.map(({ history, isCut, now }) => `${history} ${isCut} ${now}`);
    if (isKnown([state, faults, ...names, ...histories].join('|'))) return undefined;
    const picked = possible[choose(possible.length)];
    if (picked === undefined) throw new Error('nothing was picked');
    events.push(picked.name);
    picked.happen();
  }
  return { endings: replicas, events, state, hasLateMoves };
}

/** Lets the replicas go on until each waits for a step: no chain of promises between two steps is longer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await null;
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
