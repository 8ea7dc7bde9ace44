/** Imported before everything else: graphql decides as it loads whether to make checks that help a developer. */
process.env.NODE_ENV ??= 'production';
