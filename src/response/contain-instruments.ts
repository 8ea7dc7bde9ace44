import type { GatewayPlugin } from '../request/context.ts';
import { faultDetails, type Log } from '../telemetry/log.ts';

type Instruments = NonNullable<GatewayPlugin['instrumentation']>;
type Run = () => Promise<void> | undefined;
type Instrument = (payload: never, run: Run) => unknown;

/** Whether Yoga and Envelop await the instrument of a phase. The other phases have to be over when it returns. */
const PHASES: { readonly [phase in keyof Required<Instruments>]: boolean } = {
  request: true,
  requestParse: true,
  operation: true,
  init: false,
  parse: false,
  validate: false,
  context: false,
  execute: true,
  subscribe: true,
  resultProcess: true,
};

/** Instruments only observe: each phase is run once, also without one that fails. */
export function containInstruments(instruments: Instruments, log: Log): Instruments {
  const given: { readonly [phase: string]: Instrument | undefined } = instruments;
  const contained: Instruments = Object.create(instruments);
  for (const [phase, isAwaited] of Object.entries(PHASES)) {
    const instrument = given[phase];
    if (instrument) Object.assign(contained, { [phase]: containInstrument(instrument, isAwaited, log) });
  }
  return contained;
}

function containInstrument(instrument: Instrument, isAwaited: boolean, log: Log): Instrument {
  return (payload, run) => {
    const runOnce = once(run);
    const observed = observe(() => instrument(payload, runOnce), runOnce, log);
    return isAwaited ? observed.then(runOnce) : runOnce();
  };
}

/** Logs what fails in an instrument; what fails in its phase has its own answer. */
async function observe(begin: () => unknown, runOnce: Run, log: Log): Promise<void> {
  try {
    await begin();
  } catch (error) {
    try {
      await runOnce();
    } catch {
      return;
    }
    log('error', 'unexpected error', faultDetails(error));
  }
}

function once(run: Run): Run {
  let outcome: Run | undefined;
  return () => {
    outcome ??= outcomeOf(run);
    return outcome();
  };
}

function outcomeOf(run: Run): Run {
  try {
    const result = run();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
