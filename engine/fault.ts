import { StoredJsonError } from './fail.ts';

/** The facts that a log may give of a fault: never its message, which may quote personal data of a request. */
export function faultFacts(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table } = error as Error & Record<string, unknown>;
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
  const asserted = error.message.startsWith('assertion failed: ');
  return {
    type: error.name,
    ...(asserted ? { statement: error.message } : {}),
    ...(error instanceof StoredJsonError ? error.facts : {}),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint, table }),
    frames: frames?.map((line) => line.trim()),
  };
}
