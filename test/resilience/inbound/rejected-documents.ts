/** Documents that are refused, each for another kind of reason. */
export const REFUSED: Record<string, string> = {
  'that cannot be parsed': '{ broken {',
  'that is too large': '{ __typename '.repeat(8_100),
  'that is not valid': '{ unknown debtors { nope } }',
  'with a fragment that spreads itself': '{ ...f } fragment f on Query { ...f }',
};
