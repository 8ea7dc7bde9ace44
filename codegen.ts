import type { CodegenConfig } from '@graphql-codegen/cli';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './src/schema/index.ts';

/** Prints the schema, and types the operations that the tests and the examples are made of. */
const config: CodegenConfig = {
  schema: printSchema(lexicographicSortSchema(schema)),
  documents: ['test/**/*.ts', 'src/http/examples.ts'],
  importExtension: '.ts',
  generates: {
    'schema.graphql': {
      plugins: ['schema-ast'],
      config: { includeDirectives: true },
    },
    'test/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        scalars: { ID: 'string', DateTime: 'string', Amount: 'string' },
        strictScalars: true,
        useTypeImports: true,
        enumsAsTypes: true,
      },
    },
  },
};

export default config;
