import type { Rails } from '../rails/rails.ts';
import { openSandboxAggregator } from './aggregator.ts';
import { openSandboxBank } from './bank.ts';

/** The outside as the sandbox plays it. */
export const sandboxRails = (): Rails => ({
  aggregator: openSandboxAggregator(),
  bank: openSandboxBank(),
});
