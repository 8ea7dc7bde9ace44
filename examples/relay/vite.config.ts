import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  logLevel: 'warn',
  build: {
    ssr: 'src/main.ts',
    target: 'es2022',
    rollupOptions: {
      onwarn(warning, warn) {
        // Only the import of the tag `graphql` remains.
        if (warning.code !== 'UNUSED_EXTERNAL_IMPORT') warn(warning);
      },
    },
  },
  plugins: [relay()],
});

/** Does what Relay's Babel plugin does: replaces a tagged document with an import of its compiled form. */
function relay(): Plugin {
  return {
    name: 'relay',
    enforce: 'pre',
    transform(code) {
      const imports: string[] = [];
      const replaced = code.replace(
        /graphql`\s*(?:query|fragment|mutation) (\w+)[^`]*`/g,
        (_, name: string) => {
          imports.push(`import ${name} from './generated/${name}.graphql.ts';`);
          return name;
        },
      );
      return imports.length > 0 ? `${imports.join(' ')} ${replaced}` : undefined;
    },
  };
}
