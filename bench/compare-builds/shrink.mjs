import { Kind, parse, print, visit } from 'graphql';
import { isValid } from './documents.mjs';

const MAX_TRIES = 120;
const REMOVABLE = [
  Kind.FIELD,
  Kind.INLINE_FRAGMENT,
  Kind.FRAGMENT_SPREAD,
  Kind.DIRECTIVE,
  Kind.ARGUMENT,
  Kind.OBJECT_FIELD,
];

/** Leaves out what a difference does not need: requests before it, faults, operations, and parts of the document. */
export async function shrink(found, differsStill) {
  let { requests, faults } = found;
  let tries = 0;
  const attempt = async (fewer, calmer = faults) => {
    tries += 1;
    if (tries > MAX_TRIES || !(await differsStill(fewer, calmer))) return false;
    [requests, faults] = [fewer, calmer];
    return true;
  };
  await attempt(requests, { mode: 'none' });
  if (!(await attempt(requests.slice(-1))))
    for (let at = requests.length - 2; at >= 0; at -= 1) await attempt(requests.toSpliced(at, 1));

  const last = () => requests.at(-1);
  const withLast = (change) => [...requests.slice(0, -1), { ...last(), ...change }];
  for (let at = last().operations.length - 1; at >= 0 && last().operations.length > 1; at -= 1)
    await attempt(withLast({ operations: last().operations.toSpliced(at, 1) }));
  if (last().operations.length === 1 && last().via !== 'raw') {
    for (let at = 0; tries < MAX_TRIES; ) {
      const fewer = without(last().operations[0], at);
      if (fewer === undefined) break;
      if (!fewer.isValid || !(await attempt(withLast({ operations: [fewer.operation] })))) at += 1;
    }
  }
  return { requests, faults };
}

/** The operation without one of its parts, counted from the start; undefined if it has not so many. */
function without({ query, variables }, index) {
  let document;
  try {
    document = parse(query);
  } catch {
    return undefined;
  }
  let seen = -1;
  let isRemoved = false;
  const fewer = visit(document, {
    enter(node) {
      if (isRemoved || !REMOVABLE.includes(node.kind)) return undefined;
      seen += 1;
      if (seen !== index) return undefined;
      isRemoved = true;
      return null;
    },
  });
  if (!isRemoved) return undefined;
  const text = print(withoutUnused(fewer));
  const used = Object.entries(variables ?? {}).filter(([name]) => text.includes(`$${name}`));
  const operation = { query: text, variables: Object.fromEntries(used) };
  return { isValid: isValid(text) || !isValid(query), operation };
}

function withoutUnused(document) {
  const used = new Set();
  const uses = { FragmentSpread: ({ name }) => void used.add(`...${name.value}`) };
  const variableUses = {
    VariableDefinition: () => false,
    Variable: ({ name }) => void used.add(`$${name.value}`),
  };
  visit(document, uses);
  const kept = visit(document, {
    FragmentDefinition: ({ name }) => (used.has(`...${name.value}`) ? undefined : null),
  });
  visit(kept, variableUses);
  const fewer = visit(kept, {
    VariableDefinition: ({ variable }) => (used.has(`$${variable.name.value}`) ? undefined : null),
  });
  return fewer.definitions.length < document.definitions.length ? withoutUnused(fewer) : fewer;
}
