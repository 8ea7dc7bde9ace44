/**
 * States of a refresh token that replicas share, moved by compare-and-set:
 *
 *     free → claimed → sent → done | refused | unknown
 *
 * A claim ends by itself, which makes the token free again; `sent` does not, so once it may have been sent nobody sends
 * it again. Each state but `free` is a word and, after a space, its owner or its sealed outcome.
 */
export interface SharedStates {
  /** Sets the state to `to` if it is one of `from`, and returns the state that it then has. Rejects if in doubt. */
  move(key: string, from: readonly string[], to: string, lifeMs: number): Promise<string>;
  /** Resolves after the state has been settled, or after this time. */
  changed(key: string, milliseconds: number): Promise<void>;
  /** Whether moves are possible; if a hiccup prevents them, after waiting for this time at most. */
  recovered(milliseconds: number): Promise<boolean>;
  /** Tries a move until it has been answered, in the background. */
  moveEventually(...move: Parameters<SharedStates['move']>): void;
  now(): number;
}

export type SendOutcome =
  | { readonly kind: 'done' | 'refused'; readonly sealed: string }
  /** The service may or may not have used the token. */
  | { readonly kind: 'unknown' }
  /** It was certainly not sent, and will not be. */
  | { readonly kind: 'unsent' };

/**
 * `sent here`: the outcome is that of `send`. `alone`: nothing is shared at the moment, so refresh as a single process
 * would. `interrupted`: it was claimed here, and not sent, because the states were lost in between.
 */
export type Verdict =
  | { readonly kind: 'done' | 'refused'; readonly sealed: string }
  | { readonly kind: 'sent here' | 'unknown' | 'alone' | 'interrupted' };

export interface Refresh {
  readonly key: string;
  /** Unique to this refresh. */
  readonly owner: string;
  /** Called at most once. Does not reject. */
  send(): Promise<SendOutcome>;
  /** How long a send takes at most, as others have to wait for it. */
  readonly sendMs: number;
}

const FREE = '';
/** Only as long as it takes to say that the token is being sent. */
const CLAIM_MS = 1_000;
/** Longer than any replica can stall and then go on to send. */
const SENT_MS = 86_400_000;
const OUTCOME_MS = 60_000;
/** Only for those who are waiting: the service may accept the same token later, such as after a 429. */
const REFUSAL_MS = 5_000;
/** How long a replica that has begun keeps trying to reach the states. */
const RETRY_MS = 500;
const POLL_MS = 250;
/** Beyond the time of a send, for what comes before and after it. */
const MARGIN_MS = 2_000;

/** Refreshes one token once among all replicas, or finds out how another replica's refresh ended. */
export async function refreshOnce(states: SharedStates, refresh: Refresh): Promise<Verdict> {
  const { key, owner, sendMs } = refresh;
  const claimed = `claimed ${owner}`;
  const claim = () => states.move(key, [FREE], claimed, CLAIM_MS);
  // However often the state changes: those who wait have given up by then.
  const until = states.now() + CLAIM_MS + sendMs + MARGIN_MS;
  let state = await insist(states, claim);
  if (state === undefined) return { kind: 'alone' };
  for (;;) {
    if (state === claimed) {
      const sent = await sendClaimed(states, refresh);
      if (typeof sent !== 'string') return sent;
      state = sent;
    }
    const [kind, detail = ''] = state.split(' ');
    if (kind === 'done' || kind === 'refused') return { kind, sealed: detail };
    if (kind === 'unknown') return { kind };
    const isOthers = state !== claimed && (kind === 'claimed' || kind === 'sent');
    // No move leads to any state but these.
    const isExpected = isOthers || state === FREE;
    if (!isExpected || states.now() >= until) return { kind: isOthers ? 'unknown' : 'interrupted' };
    if (isOthers) {
      state = await waitForOther(states, refresh, { state, claim, until });
    } else {
      await states.changed(key, POLL_MS);
      state = await insist(states, claim);
      if (state === undefined) return { kind: 'interrupted' };
    }
  }
}

/** Sends a token that is claimed; returns its state if the claim has ended. */
async function sendClaimed(states: SharedStates, refresh: Refresh): Promise<Verdict | string> {
  const { key, owner } = refresh;
  const [claimed, sent, unknown] = [`claimed ${owner}`, `sent ${owner}`, `unknown ${owner}`];
  // It must not be sent unless `sent` is confirmed: others may take the claim over.
  const state = await insist(states, () => states.move(key, [claimed], sent, SENT_MS));
  if (state === undefined) {
    states.moveEventually(key, [claimed, sent, unknown], FREE, 0);
    return { kind: 'interrupted' };
  }
  // `unknown` by this owner: the reply to an earlier try was lost, and others have given up waiting meanwhile.
  if (state !== sent && state !== unknown) return state;
  const outcome = await refresh.send();
  const [to, lifeMs] = settled(outcome, owner);
  // Also from `unknown`, where others have given up waiting.
  await states
    .move(key, [sent, unknown], to, lifeMs)
    .catch(() => states.moveEventually(key, [sent, unknown], to, lifeMs));
  return { kind: 'sent here' };
}

function settled(outcome: SendOutcome, owner: string): [to: string, lifeMs: number] {
  if (outcome.kind === 'unsent') return [FREE, 0];
  if (outcome.kind === 'unknown') return [`unknown ${owner}`, OUTCOME_MS];
  return [`${outcome.kind} ${outcome.sealed}`, outcome.kind === 'done' ? OUTCOME_MS : REFUSAL_MS];
}

interface Wait {
  /** What another replica's refresh has come to. */
  readonly state: string;
  readonly claim: () => Promise<string>;
  readonly until: number;
}

/** Waits until another replica's refresh has moved on, and returns the new state; claims the token if it is free. */
async function waitForOther(
  states: SharedStates,
  { key, sendMs }: Refresh,
  { state, claim, until }: Wait,
): Promise<string> {
  const staleAt = states.now() + sendMs + MARGIN_MS;
  while (states.now() < Math.min(staleAt, until)) {
    await states.changed(key, POLL_MS);
    const next = await claim().catch(() => state);
    if (next !== state) return next;
  }
  if (states.now() < staleAt) return state;
  // Its holder has ended, or stalls and may still send: nobody else may.
  const [kind, holder] = state.split(' ');
  if (kind !== 'sent') return 'unknown';
  return states.move(key, [state], `unknown ${holder}`, SENT_MS).catch(() => 'unknown');
}

/** Tries a move again after a hiccup, which is safe because each can be repeated; undefined if it stays in doubt. */
async function insist(states: SharedStates, move: () => Promise<string>): Promise<string | undefined> {
  const until = states.now() + RETRY_MS;
  for (;;) {
    try {
      return await move();
    } catch {
      if (!(await states.recovered(until - states.now()))) return undefined;
    }
  }
}
