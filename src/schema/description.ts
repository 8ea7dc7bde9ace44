/** Shown where the documentation of the schema opens, as in GraphiQL. */
export const DESCRIPTION = `\
Receivables and debtor management: debtors, declaration lines, deleted credit cases and payments, tasks and messages.

- Nearly everything belongs to an administration: fields take an \`administrationId\`, and \`viewer\` lists the
  administrations that your token reaches.
- Reads and writes need a Bearer token: \`Authorization: Bearer <access token>\`. \`companies\` and the token mutations
  need Basic credentials, the client id and secret of an application: \`Authorization: Basic ...\`, or
  \`X-Client-Authorization: Basic ...\` if you send a token too.
- Read lists with \`first\` and \`after\`. Any \`cursor\` of a page works as \`after\`.
- \`id\` is unique among all records, and \`internalId\` is the id of the REST service. Arguments accept either.
  \`node\` accepts the \`id\` of an administration, a debtor or a declaration line.
- Send the header \`X-Explain: true\` to see the REST calls behind a response.`;

/** For fields and values of which the REST service's documentation gives the name alone: nothing is made up here. */
export const UNEXPLAINED = 'The REST service names it without explaining it.';
export const UNEXPLAINED_VALUES = 'The REST service lists the values without explaining them.';

/** A value of an enum that REST lists. */
export function restValue<Value extends string>(value: Value) {
  return { value, description: `\`${value}\` of the REST service.` };
}
