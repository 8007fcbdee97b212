import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { until } from '../../../kit/wait.ts';

/** Listens with the smallest queue, and accepts nothing until it is told to. */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const { createServer } = require('node:net');
const flag = new Int32Array(workerData.flag);
const answer = 'HTTP/1.1 200 OK\\r\\ncontent-length: 0\\r\\n\\r\\n';
const server = createServer((socket) => {
  socket.on('error', () => {}).on('data', () => socket.write(answer));
});
server.once('error', (error) => parentPort.postMessage(error.code));
server.listen({ host: workerData.host, port: workerData.port, backlog: 1 }, () => {
  parentPort.postMessage('listening');
  Atomics.wait(flag, 0, 0);
});`;

/** An address of this machine where a connection waits, as on a host that is overloaded or cut off. */
export interface DeafAddress {
  /** From now on it accepts, and answers every request with 200. */
  accept(): void;
  close(): Promise<void>;
}

/** @returns null when the port is taken */
export async function startDeafAddress(host: string, port: number): Promise<DeafAddress | null> {
  const flag = new SharedArrayBuffer(4);
  const worker = new Worker(program, { eval: true, workerData: { flag, host, port } });
  const [said] = await once(worker, 'message');
  const fillers: Socket[] = [];
  const accept = (): void => {
    Atomics.store(new Int32Array(flag), 0, 1);
    Atomics.notify(new Int32Array(flag), 0);
  };
  async function close(): Promise<void> {
    accept();
    for (const socket of fillers) socket.destroy();
    await worker.terminate();
  }
  if (said !== 'listening') {
    await close();
    return null;
  }
  // Its queue takes two connections; those after them get no answer from the kernel.
  for (let count = 0; count < 4; count += 1)
    fillers.push(connect({ host, port }).on('error', () => {}));
  await until(() => fillers.filter(({ connecting }) => !connecting).length >= 2);
  for (const socket of fillers) if (socket.connecting) socket.destroy();
  return { accept, close };
}
