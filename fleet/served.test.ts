import { expect, test } from 'vitest';
import { mayPoll } from './served.ts';

const both = new Set(['api', 'worker'] as const);
const worker = new Set(['worker'] as const);
const cells = ['public', 'cell_b'];

test('every worker that serves all cells polls providers, whichever cells it works for', () => {
  const polls = (roles: ReadonlySet<'api' | 'worker'>, workerCells: string[] | null) =>
    mayPoll({ cells, remoteCells: new Map(), roles, workerCells });
  expect(polls(worker, null)).toBe(true);
  expect(polls(worker, cells)).toBe(true);
  expect(polls(both, ['cell_b'])).toBe(true);
  expect(polls(worker, ['cell_b'])).toBe(false);
  expect(polls(new Set(['api']), null)).toBe(false);
});

test('the worker of a deployment without cells polls providers', () => {
  expect(mayPoll({ cells: [], remoteCells: new Map(), roles: worker, workerCells: null })).toBe(
    true,
  );
});
