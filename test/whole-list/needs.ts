import type { Ask } from './generate.ts';
import { type Field, type ListSpec, restName } from './lists.ts';
import { selectedMembers } from './operation.ts';
import { isObject } from './values.ts';
import type { Where } from './where.ts';

/**
 * Fields of the REST service, nested ones as `labels.name`. `may` are those that are named without saying anything, as
 * in `name: {}`: reading them is allowed, and not needed.
 */
export interface Needs {
  readonly must: ReadonlySet<string>;
  readonly may: ReadonlySet<string>;
}

/** What filter, order, totals and groups read. */
export function needsOf({ fields, requiredFields }: ListSpec, ask: Ask): Needs {
  const must = new Set(requiredFields);
  const may = new Set<string>();
  addWhere(fields, ask.where ?? {}, '', must, may);
  const paths = [...ask.orderBy, ...ask.groups].map(({ by }) => by);
  const second = ask.groups.flatMap(({ thenBy }) => (thenBy ? [thenBy] : []));
  for (const { path } of [...paths, ...second]) must.add(path.map(restName).join('.'));
  const ordered = ask.groups.flatMap(({ orderBy }) =>
    orderBy.flatMap(({ what }) => (typeof what === 'string' ? [] : [what])),
  );
  for (const { name } of [...(ask.totals ?? []), ...ask.groups.flatMap(({ totals }) => totals), ...ordered]) {
    must.add(restName(name));
  }
  return { must, may };
}

/** What the records of the page are made of. */
export function pageFields({ requiredFields }: ListSpec, { page, select }: Ask): Set<string> {
  if (page === 'none' || page === 'pageInfo') return new Set(requiredFields);
  return new Set([...requiredFields, ...select.flatMap(leavesOf)]);
}

function leavesOf(field: Field): string[] {
  const members = selectedMembers(field);
  if (members.length === 0) return [restName(field.name)];
  return members.map(({ name }) => `${restName(field.name)}.${restName(name)}`);
}

function addWhere(
  fields: readonly Field[],
  where: Where,
  prefix: string,
  must: Set<string>,
  may: Set<string>,
): void {
  for (const [name, condition] of Object.entries(where)) {
    for (const inner of Array.isArray(condition) ? condition : [condition]) {
      if (['and', 'or', 'not'].includes(name)) {
        if (isObject(inner)) addWhere(fields, inner, prefix, must, may);
      }
    }
    const field = fields.find((candidate) => candidate.name === name);
    if (field === undefined) continue;
    const path = `${prefix}${restName(name)}`;
    may.add(path);
    if (!isObject(condition)) continue;
    if (!('members' in field)) {
      if (Object.values(condition).some((value) => value !== null)) must.add(path);
      continue;
    }
    // Whether an object is there, or a list has items, can be seen by any of its members.
    if (typeof condition.isNull === 'boolean' || typeof condition.isEmpty === 'boolean') must.add(path);
    const parts = field.kind === 'object' ? [condition] : [condition.some, condition.every, condition.none];
    for (const part of parts) {
      if (!isObject(part)) continue;
      if (field.kind === 'texts') must.add(path);
      else addWhere(field.members, part, `${path}.`, must, may);
      if (field.kind === 'objects') must.add(path);
    }
  }
}

/** The fields of a call in the same form; undefined where it names none. */
export function leavesOfCall(only: unknown): string[] | undefined {
  if (!Array.isArray(only)) return undefined;
  return only.flatMap((item) =>
    isObject(item)
      ? Object.entries(item).flatMap(([name, members]) =>
          Array.isArray(members) ? members.map((member) => `${name}.${member}`) : [],
        )
      : [String(item)],
  );
}

/** Whether a call reads a field: itself, the object it is in, or any member of it. */
export function reads(leaves: readonly string[], path: string): boolean {
  return leaves.some((leaf) => leaf === path || leaf.startsWith(`${path}.`) || path.startsWith(`${leaf}.`));
}
