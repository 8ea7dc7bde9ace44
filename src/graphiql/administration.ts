import { parseJson } from './json.ts';

/** A member of the variables, with its value as a JSON string; nested in an input object too. */
const MEMBER = /("administrationId"\s*:\s*)("(?:[^"\\]|\\.)*")/g;

/** Replaces one administration in the text of variables. Others that a user has typed remain, and so does the layout. */
export function replaceAdministration(variables: string, from: string, to: string): string {
  return variables.replace(MEMBER, (member, name: string, value: string) =>
    parseJson(value) === from ? name + JSON.stringify(to) : member,
  );
}

/** An administration in the text of variables other than the chosen one. */
export function otherAdministration(variables: string, chosen: string): string | undefined {
  const values = Array.from(variables.matchAll(MEMBER), ([, , value = '']) => parseJson(value));
  return values.filter((value) => typeof value === 'string').find((value) => value !== chosen);
}
