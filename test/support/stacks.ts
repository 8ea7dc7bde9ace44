const { prepareStackTrace } = Error;

/**
 * Vite finds the sources of every frame of every stack, which takes longer than most failures of the gateway take
 * otherwise. Only the stacks that lead through a test need it: Node runs the rest as it is.
 */
function prepareTestStackTrace(error: Error, frames: NodeJS.CallSite[]): unknown {
  const isTest = frames.some((frame) => frame.getFileName()?.endsWith('.ts'));
  if (isTest && prepareStackTrace) return prepareStackTrace(error, frames);
  return [`${error.name}: ${error.message}`, ...frames].join('\n    at ');
}

// Each file runs this again.
if (prepareStackTrace?.name !== prepareTestStackTrace.name) Error.prepareStackTrace = prepareTestStackTrace;
