import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

/**
 * A balancer in front of several processes: each request goes to the next one, whose page it is or not. It tries none
 * again at another.
 */
export interface RoundRobin {
  readonly baseUrl: string;
  /** From now on requests go to these. */
  lead(...processes: readonly { readonly baseUrl: string }[]): void;
  /** Requests that reached no process, or whose reply broke off. */
  readonly faults: string[];
}

/** Clients share the loop of this process: where it stands still a request would go out on a connection that is being closed. */
const idleMs = 1_200_000;

/** Asks each target for `/readyz`, and gives those that said 200 when they were asked last. */
function openWatch(everyMs: number, targets: () => readonly URL[]) {
  let ready: readonly URL[] = [];
  const isReady = (target: URL) =>
    fetch(new URL('/readyz', target)).then(
      ({ ok }) => ok,
      () => false,
    );
  const look = async () => {
    const asked = targets();
    const answers = await Promise.all(asked.map(isReady));
    ready = asked.filter((_target, index) => answers[index]);
  };
  const timer = setInterval(look, everyMs).unref();
  return { look, ready: () => ready, stop: () => clearInterval(timer) };
}

/**
 * @param lookEveryMs it keeps connections open, and leads requests to those processes alone that were ready when it
 *   looked last; absent: to all
 */
export async function openRoundRobin(lookEveryMs?: number): Promise<RoundRobin> {
  const faults: string[] = [];
  let named: readonly URL[] = [];
  let turn = 0;
  const watch = lookEveryMs === undefined ? null : openWatch(lookEveryMs, () => named);
  const agent = watch !== null && new Agent({ keepAlive: true });

  function pass(asked: IncomingMessage, reply: ServerResponse): void {
    turn += 1;
    const targets = watch?.ready() ?? named;
    const target = targets[turn % targets.length];
    const fail = (error: Error) => {
      faults.push(`${asked.method} ${asked.url} at ${target?.port}: ${error.message}`);
      reply.destroy();
    };
    if (!target) {
      fail(new Error('no process'));
      return;
    }
    const { method, url: path, headers } = asked;
    const { port } = target;
    const passed = request({ host: '127.0.0.1', port, method, path, headers, agent });
    passed.on('error', (error) => !reply.destroyed && fail(error));
    passed.on('response', (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
      answer.on('error', (error) => !reply.destroyed && fail(error));
    });
    reply.on('close', () => passed.destroy());
    asked.pipe(passed);
  }

  const { port } = new URL(await listening(createServer({ keepAliveTimeout: idleMs }, pass)));
  return {
    // Passkeys and cookies want a name.
    baseUrl: `http://localhost:${port}`,
    lead(...processes) {
      named = processes.map(({ baseUrl }) => new URL(baseUrl));
    },
    faults,
  };
}
