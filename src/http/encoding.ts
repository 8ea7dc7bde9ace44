import { ranges } from './weights.ts';

/** What a client accepts of the encodings there are. */
export interface EncodingPreference<Encoding> {
  /** Undefined where the body goes out as it is. */
  readonly encoding: Encoding | undefined;
  /** Whether the body as it is was refused, so that even a short one is better encoded. */
  readonly refusesIdentity: boolean;
}

/**
 * The encoding that a client prefers; where it likes several the same, the first of `available`. A body as it is stays
 * possible whatever the header says: a client that refuses everything gets that rather than nothing.
 */
export function preferredEncoding<Encoding extends string>(
  acceptEncoding: string | undefined,
  available: readonly Encoding[],
): EncodingPreference<Encoding> {
  const accepted = ranges(acceptEncoding);
  const weightOf = (name: string) => accepted.find((range) => range.name === name)?.weight;
  const others = weightOf('*');
  const identity = weightOf('identity');
  let encoding: Encoding | undefined;
  // Where it is not named, it is what is taken last.
  let most = identity ?? 0;
  for (const candidate of available) {
    const weight = weightOf(candidate) ?? weightOf(`x-${candidate}`) ?? others ?? 0;
    if (weight > most || (weight === most && weight > 0 && encoding === undefined)) {
      encoding = candidate;
      most = weight;
    }
  }
  return { encoding, refusesIdentity: (identity ?? others) === 0 };
}
