/** A shell's exit codes for a program that a signal has ended. */
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Calls `end` whenever this process is asked to end. @param end takes the exit code that says so */
export function onSignal(end: (code: number, signal: NodeJS.Signals) => void): void {
  for (const [signal, code] of Object.entries(codes))
    process.on(signal, () => end(code, signal as NodeJS.Signals));
}
