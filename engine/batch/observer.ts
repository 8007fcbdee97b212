import type { ShedReason } from './queue.ts';

/** The engine's reports to its metrics. It calls these while it works, so they must not throw. */
export interface EngineObserver {
  /** A batch has committed; the duration runs from its load to its commit, reruns included. */
  committed(batch: { commands: number; deferred: number; durationMs: number }): void;
  /** A batch is decided again because its commit failed with this error. */
  rerun(error: unknown): void;
  /** A batch goes on in halves. */
  split(): void;
  /** A command was refused before any work. */
  shed(reason: ShedReason): void;
  /** The connection broke during a commit: whether these commands committed is unknown. */
  lost(commands: number): void;
}

export const unobserved: EngineObserver = {
  committed() {},
  rerun() {},
  split() {},
  shed() {},
  lost() {},
};

export interface EngineStats {
  batches: number;
  commands: number;
  reruns: number;
  splits: number;
}
