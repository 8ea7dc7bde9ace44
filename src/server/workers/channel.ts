import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import type { Reservation, ReservationRequest } from '../../limits/call-limit.ts';
import type { MetricFamily } from '../../telemetry/metrics/metrics.ts';

/** What the primary calls in a worker. */
export interface WorkerCalls {
  /** Takes a connection; none if its client has disconnected on the way, or to ask whether the last one is lost. */
  take(socket: Socket | undefined): void;
  /** From now on `/ready` fails, and streams of changes end, spread over so many milliseconds. */
  leaveRotation(spreadMs: number): void;
  /** Finishes what is in flight, and then returns its last metrics. */
  stop(spreadMs: number): Promise<readonly MetricFamily[]>;
  metrics(): readonly MetricFamily[];
  drop(credential: string): void;
  /** Drops what any credential has read. */
  dropAll(): void;
}

/** What a worker calls in the primary. */
export interface PrimaryCalls {
  ready(): void;
  failed(reason: string): void;
  collect(): Promise<readonly MetricFamily[]>;
  move(key: string, from: readonly string[], to: string, lifeMs: number): string;
  reserve(key: string, wanted: ReservationRequest): Reservation;
  /** Returns when the other workers have dropped what this credential has read. */
  dropElsewhere(credential: string): Promise<void>;
}

type Functions<Calls> = { readonly [Name in keyof Calls]: (...args: never[]) => unknown };
type Message =
  | { readonly call: number; readonly name: string; readonly args: unknown[] }
  | { readonly answered: number; readonly answer: never };

/** A process that has so many calls to answer is stuck, and more would only use up memory. */
const MAX_UNANSWERED = 1_000;

/** Between the primary and a worker: each calls functions of the other. */
export class Channel<Theirs extends Functions<Theirs>> {
  readonly #other: ChildProcess | NodeJS.Process;
  readonly #waiting = new Map<number, (answer?: never) => void>();
  #calls = 0;
  /** The latest that had a socket; the one before it has been answered. */
  #callWithSocket = 0;

  /** `own` are called by the other process, in the order of its calls. */
  constructor(other: ChildProcess | NodeJS.Process, own: object) {
    this.#other = other;
    other.on('message', (message: unknown, handle: unknown) => {
      // Node's own channel, where nobody else writes.
      if (isMessage(message)) void this.#receive(message, handle, own);
    });
    other.on('exit', () => {
      for (const settle of this.#waiting.values()) settle();
    });
  }

  get isFull(): boolean {
    return this.#waiting.size >= MAX_UNANSWERED;
  }

  /** Undefined if the other process has ended, or ends before it answers, or has lost the socket. */
  call<Name extends keyof Theirs & string>(
    name: Name,
    ...args: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>> | undefined> {
    this.#calls += 1;
    const call = this.#calls;
    return new Promise((resolve) => {
      if (!this.#other.connected) return resolve(undefined);
      this.#waiting.set(call, resolve);
      const socket = args.find((arg: unknown) => arg instanceof Socket);
      if (socket) this.#callWithSocket = call;
      this.#send({ call, name, args: socket ? [] : args }, socket);
    });
  }

  async #receive(message: Message, handle: unknown, own: object): Promise<void> {
    if ('answered' in message) {
      this.#settle(message.answered, message.answer);
      // Calls arrive in order, so an earlier one with a socket is lost if it has no answer: a process that can open no
      // more files does not get it, and Node tells neither side.
      if (message.answered > this.#callWithSocket) this.#settle(this.#callWithSocket);
      return;
    }
    const { call, name, args } = message;
    const answer: never = await Reflect.apply(Reflect.get(own, name), own, [...args, handle]);
    this.#send({ answered: call, answer });
  }

  #settle(call: number, answer?: never): void {
    this.#waiting.get(call)?.(answer);
    this.#waiting.delete(call);
  }

  #send(message: Message, socket?: Socket): void {
    // Kept open until the other has it. One that has just ended gets no message, which is as good.
    if (this.#other.connected) this.#other.send?.(message, socket, { keepOpen: true }, () => {});
  }
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && ('call' in value || 'answered' in value);
}

/** What comes within this time, otherwise undefined: a process that does not answer by then is stuck. */
export function within<Value>(milliseconds: number, coming: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds, undefined);
    coming.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
