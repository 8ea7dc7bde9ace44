import type { CodegenConfig } from '@graphql-codegen/cli';
import { printSchema } from 'graphql';
import { schema } from './src/schema/index.ts';

/** Prints the schema, and types the operations that the tests and the examples are made of. */
const config: CodegenConfig = {
  schema: printSchema(schema),
  documents: ['test/**/*.ts', 'src/http/examples.ts'],
  importExtension: '.ts',
  config: { sort: false },
  generates: {
    'schema.graphql': {
      plugins: ['schema-ast'],
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
