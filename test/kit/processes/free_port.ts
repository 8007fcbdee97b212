import { once } from 'node:events';
import { createServer } from 'node:net';

/** Each lane of the tests has a range of its own, below that from which connections take theirs. */
const lane = Number(process.env.VITEST_POOL_ID ?? 0) % 12;
const first = 20_000 + lane * 1_000;
const last = first + 1_000;
let next = first + (process.pid % 1_000);

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** A port that is free now, for a process that is about to start; the same one is not given soon again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = port + 1 === last ? first : port + 1;
    if (await isFree(port)) return port;
  }
}
