/**
 * Imported before everything else: graphql decides as it loads whether to make the checks that help a developer
 * but take a third of the time of a small query.
 */
process.env.NODE_ENV ??= 'production';
