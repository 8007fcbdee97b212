/**
 * Ctrl-C reaches npm and the program that it started, and npm passes it on; a supervisor may signal both too.
 * A signal that follows within this time is the same request.
 */
const sameRequestMs = 1_000;

interface Limits {
  /** The program has this long to end by itself. */
  readonly withinMs: () => number;
  /** The exit code of an end that was cut short. */
  readonly exitCode: number;
  /** Called when that time is over. */
  onLate?(): void;
}

/**
 * Calls `stop` once, when the program is asked to end: by SIGTERM, by SIGINT (Ctrl-C) or by SIGHUP (its terminal
 * was closed). A second request, or the end of the time, ends the process at once.
 * @returns asks for the end too, if nobody has yet
 */
export function onStopSignal(
  stop: (signal: NodeJS.Signals) => void,
  { withinMs, exitCode, onLate }: Limits,
): () => void {
  let askedAtMs: number | null = null;
  const cutShort = () => {
    onLate?.();
    process.exit(exitCode);
  };
  const ask = (signal: NodeJS.Signals) => {
    if (askedAtMs !== null) return;
    askedAtMs = performance.now();
    setTimeout(cutShort, withinMs()).unref();
    stop(signal);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      const isSecond = askedAtMs !== null && performance.now() - askedAtMs > sameRequestMs;
      if (isSecond) process.exit(exitCode);
      ask(signal);
    });
  return () => ask('SIGHUP');
}
