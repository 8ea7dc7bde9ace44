import { readFileSync } from 'node:fs';
import { type GraphQLSchema, isObjectType, parse, printType } from 'graphql';
import { adviceOnName } from '../../hints.ts';
import { packageFile } from '../../package.ts';
import { validateWithLimits } from '../../request/documents.ts';
import { parseJson } from '../../rest/json.ts';
import { inputError } from '../failure.ts';

const MAX_CHARACTERS = 6_000;
const MAX_MATCHES = 3;
/** Tests run the queries of these pages. */
const PAGES = ['querying', 'lists', 'recipes', 'getting-started'];
const QUERY = /```graphql\n(?!mutation|subscription)(.*?)```(?:\n+```json\n(\{.*?\})\n```)?/gs;
const CODE = /```graphql\n.*?```|`[^`]+`/gs;
const BUILT_IN = /^__|^(String|Int|Float|Boolean|ID)$/;

/** Creates searches in the documented queries and in the schema. */
export function createReference(schema: GraphQLSchema) {
  const pages = PAGES.map((page) => readFileSync(packageFile(`dist/docs/${page}.md`), 'utf8'));
  const sections = pages.flatMap((page) => page.split(/^(?=#+ )/m)).map((text) => ({ text }));
  const examples = sections.flatMap(({ text }) =>
    Array.from(text.matchAll(QUERY), ([, shown = '', json = '']) => {
      const variables: object = shown.includes('$') ? Object(parseJson(json)) : {};
      return { topic: text.replace(/^#+ |\n.*/gs, ''), text, shown, variables };
    }).filter(({ shown }) => validateWithLimits(schema, parse(shown)).length === 0),
  );
  const visible = Object.values(schema.getTypeMap()).filter(({ name }) => !BUILT_IN.test(name));
  const types = visible.map((type) => {
    const text = printType(type);
    // Descriptions of arguments, and of all but objects, repeat names.
    const bare = text.replace(isObjectType(type) ? /\n {4}""".*?"""/gs : /""".*?"""/gs, '');
    const brief = bare.replace(/"""\s*(.*?)\s*"""/gs, '"$1"').replace(/\n+ {4}|\n {2}(?=\))/g, ' ');
    const shown = isObjectType(type) ? brief.replace(/\n+/g, '\n') : brief.replace(/\s+/g, ' ').trim();
    return { name: type.name, text, shown };
  });

  return {
    async examples({ search = '' }: { readonly search?: string }) {
      const found = rank(examples, search).slice(0, MAX_MATCHES);
      const others = examples.filter((example) => !found.includes(example)).map(({ topic }) => topic);
      const shown = found.map(({ topic, shown: query, variables }) => ({ topic, query, variables }));
      return { examples: shown, otherTopics: [...new Set(others)] };
    },

    async schema({ search = '', type = 'Query' }: { readonly search?: string; readonly type?: string }) {
      const named = types.filter(({ name }) => name === type);
      if (named.length === 0)
        throw inputError(`There is no type '${type.slice(0, 80)}' here. Search for words.`);
      const notes = search.split(' ').flatMap((word) => adviceOnName(word.toLowerCase()) ?? []);
      // The documentation translates words to names of the schema.
      const near = rank(sections, search).slice(0, 2);
      const translated = [...notes, ...near.flatMap(({ text }) => text.match(CODE) ?? text)].join(' ');
      const found = [search, translated].flatMap((words) => rank(types, words).slice(0, MAX_MATCHES));
      // A set also yields the types that are added meanwhile: those that the first ones refer to.
      const all = new Set([...named, ...found]);
      for (const { shown } of all)
        for (const entry of types) if (new RegExp(`: \\[*${entry.name}\\b`).test(shown)) all.add(entry);
      const sdlOf = (entries: typeof types) => entries.map(({ shown }) => shown).join('\n');
      const short = [...all];
      while (short.length > 1 && sdlOf(short).length > MAX_CHARACTERS) short.pop();
      const otherTypes = Array.from(all, ({ name }) => name).slice(short.length, short.length + 20);
      return { sdl: sdlOf(short), otherTypes, notes: [...new Set(notes)] };
    },
  };
}

/** Returns the entries that have some of the words, the best first: rare words and short entries count more. */
function rank<Entry extends { readonly text: string }>(entries: readonly Entry[], search: string): Entry[] {
  const scores = new Map<Entry, number>();
  for (const [word] of search.toLowerCase().matchAll(/\p{L}{3,}/gu)) {
    const found = entries.filter(({ text }) => text.toLowerCase().includes(word.replace(/(?<=...)s$/, '')));
    for (const entry of found)
      scores.set(entry, (scores.get(entry) ?? 0) + 1 / found.length / entry.text.length ** 0.25);
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([entry]) => entry);
}
