import { fstatSync, write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** The most bytes that wait in memory while standard error takes none: minutes of a log. */
const maximumWaiting = 4 * 1_024 * 1_024;
/** The pause after bytes that could not be written. */
const pauseMs = 1_000;

const stderr = 2;

/** Standard error as lines of the log go there. It never holds the process up, and never fails. */
export interface Sink extends DestinationStream {
  /** Lines that were dropped since the start: it took none, and no more could wait. */
  readonly dropped: () => number;
  /** Calls `heard` when lines are written again, with how many were dropped since it was called last. */
  onBack(heard: (dropped: number) => void): void;
  /** Resolves when all is written, or after `withinMs`. */
  flush(withinMs: number): Promise<void>;
}

/** Counts the dropped lines, and tells of them once. */
function openDropped() {
  let count = 0;
  let told = 0;
  let heard: (dropped: number) => void = () => {};
  return {
    count: () => count,
    add(): void {
      count += 1;
    },
    onBack(given: typeof heard): void {
      heard = given;
    },
    tell(): void {
      const since = count - told;
      told = count;
      if (since > 0) heard(since);
    },
  };
}

/** A pipe or a socket: written at once as far as it takes it, and without a thread that could be stuck in it. */
function openStream(stream: NodeJS.WriteStream): Sink {
  const dropped = openDropped();
  let flushed: () => void = () => {};
  stream.on('error', () => {});
  stream.on('drain', () => {
    dropped.tell();
    flushed();
  });
  const written = (error?: Error | null) => {
    if (error) dropped.add();
  };
  return {
    dropped: dropped.count,
    onBack: dropped.onBack,
    write(line) {
      if (stream.writableLength + line.length > maximumWaiting) dropped.add();
      else stream.write(line, written);
    },
    async flush(withinMs) {
      if (!stream.writableNeedDrain) return;
      await within(withinMs, (done) => {
        flushed = done;
      });
    },
  };
}

/** Resolves when `begin` calls back, or after `ms`. */
function within(ms: number, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    begin(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A file or a terminal: written by a thread, since its disk may be slow; what waits at the exit is tried once. */
function openFile(): Sink {
  const dropped = openDropped();
  let writing: Buffer = Buffer.alloc(0);
  let waiting: Buffer[] = [];
  let bytes = 0;
  let state: 'idle' | 'writing' | 'paused' = 'idle';
  let flushed: () => void = () => {};

  function pump(): void {
    if (state !== 'idle') return;
    if (writing.length === 0) {
      writing = Buffer.concat(waiting);
      waiting = [];
    }
    if (writing.length === 0) {
      dropped.tell();
      flushed();
      return;
    }
    state = 'writing';
    write(stderr, writing, (error, count) => {
      state = 'idle';
      if (error) return pause();
      bytes -= count;
      writing = writing.subarray(count);
      pump();
    });
  }

  function pause(): void {
    state = 'paused';
    setTimeout(() => {
      state = 'idle';
      pump();
    }, pauseMs).unref();
  }

  process.once('exit', () => {
    // Lines that a thread is writing would be written twice.
    if (state === 'writing' || bytes === 0) return;
    try {
      writeSync(stderr, Buffer.concat([writing, ...waiting]));
    } catch {}
  });

  return {
    dropped: dropped.count,
    onBack: dropped.onBack,
    write(line) {
      const buffer = Buffer.from(line);
      if (bytes + buffer.length > maximumWaiting) return dropped.add();
      bytes += buffer.length;
      waiting.push(buffer);
      pump();
    },
    async flush(withinMs) {
      if (state !== 'writing') return;
      await within(withinMs, (done) => {
        flushed = done;
      });
    },
  };
}

let opened: Sink | null = null;

/** Lines of this process's log that were dropped, since standard error took none. */
export const linesDropped = (): number => opened?.dropped() ?? 0;

/** Standard error of this process: one, however many logs write there. */
export function stderrSink(): Sink {
  if (opened) return opened;
  const kind = fstatSync(stderr);
  opened = kind.isFIFO() || kind.isSocket() ? openStream(process.stderr) : openFile();
  return opened;
}
