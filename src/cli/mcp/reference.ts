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
    Array.from(text.matchAll(QUERY), ([, query = '', json = '']) => {
      const variables: object = query.includes('$') ? Object(parseJson(json)) : {};
      return { topic: text.replace(/^#+ |\n.*/gs, ''), text, query, variables };
    }).filter(({ query }) => validateWithLimits(schema, parse(query)).length === 0),
  );
  const visible = Object.values(schema.getTypeMap()).filter(({ name }) => !BUILT_IN.test(name));
  const types = visible.map((type) => {
    const text = printType(type);
    // Descriptions of arguments, and of all but objects, repeat names.
    const undescribed = text.replace(isObjectType(type) ? /\n {4}""".*?"""/gs : /""".*?"""/gs, '');
    const brief = undescribed.replace(/"""\s*(.*?)\s*"""/gs, '"$1"').replace(/\n+ {4}|\n {2}(?=\))/g, ' ');
    const sdl = isObjectType(type) ? brief.replace(/\n+/g, '\n') : brief.replace(/\s+/g, ' ').trim();
    return { name: type.name, text, sdl };
  });

  return {
    async examples({ search = '' }: { readonly search?: string }) {
      const matches = rank(examples, search).slice(0, MAX_MATCHES);
      const otherTopics = new Set(examples.flatMap((each) => (matches.includes(each) ? [] : each.topic)));
      const found = matches.map(({ topic, query, variables }) => ({ topic, query, variables }));
      return { examples: found, otherTopics: [...otherTopics] };
    },

    async schema({ search = '', type = 'Query' }: { readonly search?: string; readonly type?: string }) {
      const named = types.filter(({ name }) => name === type);
      if (named.length === 0)
        throw inputError(`There is no type '${type.slice(0, 80)}' here. Search for words.`);
      const notes = search.split(' ').flatMap((word) => adviceOnName(word.toLowerCase()) ?? []);
      // The documentation translates words to names of the schema.
      const related = rank(sections, search).slice(0, 2);
      const translated = [...notes, ...related.flatMap(({ text }) => text.match(CODE) ?? text)].join(' ');
      const matches = [search, translated].flatMap((words) => rank(types, words).slice(0, MAX_MATCHES));
      const relevant = new Set([...named, ...matches]);
      // The loop also visits the types that it adds, which the first ones refer to.
      for (const { sdl } of relevant)
        for (const entry of types) if (new RegExp(`: \\[*${entry.name}\\b`).test(sdl)) relevant.add(entry);
      const joinSdl = (entries: typeof types) => entries.map(({ sdl }) => sdl).join('\n');
      const shown = [...relevant];
      while (shown.length > 1 && joinSdl(shown).length > MAX_CHARACTERS) shown.pop();
      const otherTypes = Array.from(relevant, ({ name }) => name).slice(shown.length, shown.length + 20);
      return { sdl: joinSdl(shown), otherTypes, notes: [...new Set(notes)] };
    },
  };
}

/** Returns the entries that have some of the words, the best first: rare words and short entries count more. */
function rank<Entry extends { readonly text: string }>(entries: readonly Entry[], search: string): Entry[] {
  const scores = new Map<Entry, number>();
  for (const [word] of search.toLowerCase().matchAll(/\p{L}{3,}/gu)) {
    const matches = entries.filter(({ text }) => text.toLowerCase().includes(word.replace(/(?<=...)s$/, '')));
    for (const entry of matches)
      scores.set(entry, (scores.get(entry) ?? 0) + 1 / matches.length / entry.text.length ** 0.25);
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([entry]) => entry);
}
