import type { CodegenConfig } from '@graphql-codegen/cli';

/** Scalars are text in JSON. An amount stays text: as a number it would lose cents. */
const config = {
  scalars: { ID: 'string', DateTime: 'string', Amount: 'string' },
  strictScalars: true,
  useTypeImports: true,
};

/** Types the operations that the examples are made of. */
const codegen: CodegenConfig = {
  schema: 'schema.graphql',
  importExtension: '.ts',
  generates: {
    'examples/apollo/src/generated/': {
      documents: 'examples/apollo/src/*.ts',
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config,
    },
    'examples/dashboard/src/generated/': {
      documents: 'examples/dashboard/src/**/*.{ts,tsx}',
      preset: 'client',
      presetConfig: {
        // A component reads the fields of its own fragment, and no others.
        fragmentMasking: { unmaskFunctionName: 'readFragment' },
        // The list of documents that a gateway may be told to take, and no others.
        persistedDocuments: { hashAlgorithm: 'sha256' },
      },
      // Text, so that the page need not carry GraphQL's printer.
      config: { ...config, documentMode: 'string' },
    },
  },
};

export default codegen;
