/** Shown where the documentation of the schema opens, as in GraphiQL. */
export const DESCRIPTION = `\
Receivables and debtor management: debtors, declaration lines, deleted credit cases and payments, tasks and messages.

- Nearly everything belongs to an administration: fields take an \`administrationId\`, and \`viewer\` lists those that
  your token reaches.
- Reads and writes take \`Authorization: Bearer <access token>\`. \`companies\` and the token mutations take the client id
  and secret of an application: \`Authorization: Basic ...\`, or beside a token \`X-Client-Authorization: Basic ...\`.
- Lists are read with \`first\` and \`after\`; any \`cursor\` of a page can be an \`after\`.
- \`id\` is unique among all records, and \`internalId\` is the id of the REST service; arguments take either. \`node\`
  takes the \`id\` of an administration, a debtor or a declaration line.
- With the header \`X-Explain: true\` the answer lists the REST calls behind it.`;

/** For fields and values of which the REST service's documentation gives the name alone: nothing is made up here. */
export const UNEXPLAINED = 'The REST service names it without explaining it.';
export const UNEXPLAINED_VALUES = 'The REST service lists the values without explaining them.';

/** A value of an enum that REST lists. */
export function restValue<Value extends string>(value: Value) {
  return { value, description: `\`${value}\` of the REST service.` };
}
