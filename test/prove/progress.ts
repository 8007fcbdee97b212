const everyMs = 10_000;

/** How far a proof is: a line that is redrawn on a terminal, and printed now and then elsewhere. */
export interface ProgressLine {
  show(done: number): void;
  /** Ends the line. */
  end(verdict: string): void;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
/** `03:07`. */
const elapsed = (ms: number): string => {
  const seconds = Math.floor(ms / 1_000);
  return `${twoDigits(Math.floor(seconds / 60))}:${twoDigits(seconds % 60)}`;
};

export function openProgress(
  key: string,
  rounds: number,
  output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stdout,
): ProgressLine {
  const beganMs = performance.now();
  let done = 0;
  const line = () => `${key}  ${done}/${rounds}  ${elapsed(performance.now() - beganMs)}`;
  const isTerminal = output.isTTY === true;
  const redraw = () => void output.write(`\r\x1b[K${line()}`);
  const timer = setInterval(
    () => (isTerminal ? redraw() : output.write(`${line()}\n`)),
    isTerminal ? 1_000 : everyMs,
  );
  return {
    show(now) {
      done = now;
      if (isTerminal) redraw();
    },
    end(verdict) {
      clearInterval(timer);
      output.write(`${isTerminal ? '\r\x1b[K' : ''}${line()}  ${verdict}\n`);
    },
  };
}
