import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { listening } from './listening.ts';

export interface ForwardProxy {
  /** With its credentials, as HTTPS_PROXY takes it. */
  readonly url: string;
  /** The requests it got: `CONNECT pay.example:443`, `GET http://pay.example/…`. */
  readonly asked: string[];
}

const credentials = 'worker:s3cret%20word';
const expected = `Basic ${Buffer.from('worker:s3cret word').toString('base64')}`;

/**
 * A company's proxy, until the test ends: every host is the server at this port of loopback.
 * @param answers how it answers CONNECT; null: not at all
 */
export async function openForwardProxy(
  port: number,
  answers: 200 | 407 | null = 200,
): Promise<ForwardProxy> {
  const asked: string[] = [];
  const proxy = createServer((inward, reply) => {
    asked.push(`${inward.method} ${inward.url}`);
    const isTheirs = inward.headers['proxy-authorization'] === expected;
    if (!isTheirs) return void reply.writeHead(407).end();
    const { pathname, search } = new URL(inward.url ?? '');
    const { method, headers } = inward;
    const onward = request({ host: '127.0.0.1', port, path: pathname + search, method, headers });
    onward.on('response', (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    inward.pipe(onward);
  });
  proxy.on('connect', ({ url, headers }, socket) => {
    asked.push(`CONNECT ${url}`);
    socket.on('error', () => {});
    if (answers === null) return;
    const isTheirs = answers === 200 && headers['proxy-authorization'] === expected;
    if (!isTheirs) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  const origin = await listening(proxy);
  return { url: origin.replace('//', `//${credentials}@`), asked };
}
