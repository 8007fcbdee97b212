import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

/** A balancer in front of several processes: each request goes to the next one, whose page it is or not. */
export interface RoundRobin {
  readonly baseUrl: string;
  /** From now on requests go to these. */
  lead(...processes: readonly { readonly baseUrl: string }[]): void;
  /** Requests that reached no process, or whose reply broke off. */
  readonly faults: string[];
}

export async function openRoundRobin(): Promise<RoundRobin> {
  const faults: string[] = [];
  let targets: readonly URL[] = [];
  let turn = 0;

  function pass(asked: IncomingMessage, reply: ServerResponse): void {
    turn += 1;
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
    const passed = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
    passed.on('error', (error) => !reply.destroyed && fail(error));
    passed.on('response', (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
      answer.on('error', (error) => !reply.destroyed && fail(error));
    });
    reply.on('close', () => passed.destroy());
    asked.pipe(passed);
  }

  const { port } = new URL(await listening(createServer(pass)));
  return {
    // Passkeys and cookies want a name.
    baseUrl: `http://localhost:${port}`,
    lead(...processes) {
      targets = processes.map(({ baseUrl }) => new URL(baseUrl));
    },
    faults,
  };
}
