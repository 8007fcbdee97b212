import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The deliveries since the last reset. Times are of `Date.now`, in milliseconds. */
export interface Received {
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** From an event's `created_at` to its arrival, of each event in the order of arrival. */
  readonly delaysMs: readonly number[];
}

export type ReceiverOrder = 'reset' | 'report';
export type ReceiverMessage = { readonly port: number } | Received;

/** Requests to the first path are never answered; those to the second one are not counted. */
export const hangingPath = '/hang';
export const uncountedPath = '/uncounted';

/** An event's own time is the first in its body. */
const mark = '"created_at":"';
const instantLength = '2026-01-01T00:00:00.000Z'.length;

let count = 0;
let firstMs = 0;
let lastMs = 0;
let delaysMs: number[] = [];

function reset(): void {
  count = 0;
  delaysMs = [];
}

function note(body: string): void {
  lastMs = Date.now();
  if (count === 0) firstMs = lastMs;
  count += 1;
  const at = body.indexOf(mark);
  if (at < 0) return;
  const start = at + mark.length;
  delaysMs.push(lastMs - Date.parse(body.slice(start, start + instantLength)));
}

const tell = (message: ReceiverMessage): void => {
  process.send?.(message);
};

/** Takes any request, reads its body, and answers 200 at once. It checks no signature. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === hangingPath) return;
    if (request.url !== uncountedPath) note(Buffer.concat(chunks).toString('latin1'));
    response.writeHead(200, { 'content-length': 0 }).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }));

process.on('message', (order: ReceiverOrder) => {
  if (order === 'reset') reset();
  tell({ count, firstMs, lastMs, delaysMs });
});
process.on('disconnect', () => process.exit());
