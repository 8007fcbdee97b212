/** The surroundings where a command reads its settings and writes its output. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of this repository's programs as they are built; absent: they stand beside the command line. */
  readonly programs?: string;
  /** How a command waits; absent: for so many milliseconds of real time. */
  pause?(milliseconds: number): Promise<void>;
  /** @param line without line end */
  out(line: string): void;
  err(line: string): void;
}

/** `failed`: refused, unreachable or a check found a fault; `usage`: nothing was sent. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The caller's mistake, found before anything was sent. */
export class UsageError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** A failure in the lines of the script that tried; the last one is the hint. */
export class FaultLines extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}
