import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

/** The bank's address, and the folder of the keys that it has made. */
export interface ClientSettings {
  readonly url: string;
  readonly folder: string;
}

interface Keys {
  readonly agent: Agent;
  readonly webhookSecret: string;
}

/** A reply that is no success. */
export class BankError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, { code, message }: { code?: string; message?: string }) {
    super(`the bank answers ${status} ${code ?? ''}: ${message ?? ''}`);
    this.status = status;
    this.code = code ?? 'unavailable';
  }
}

interface Asked {
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
  readonly traceparent?: string | undefined;
}

/** Calls the bank with the client's certificate. The keys are read at the first call. */
export function openClient({ url, folder }: ClientSettings) {
  let opened: Promise<Keys> | null = null;

  async function open(): Promise<Keys> {
    const read = (name: string) => readFile(join(folder, name), 'utf8');
    const names = ['ca.pem', 'client.pem', 'client.key', 'webhook_secret'];
    const [ca, cert, key, secret = ''] = await Promise.all(names.map(read));
    const agent = new Agent({ ca, cert, key, keepAlive: true, minVersion: 'TLSv1.2' });
    return { agent, webhookSecret: secret.trim() };
  }
  async function keys(): Promise<Keys> {
    opened ??= open();
    try {
      return await opened;
    } catch (error) {
      // The bank may not have made them yet.
      opened = null;
      throw error;
    }
  }

  return {
    webhookSecret: async () => (await keys()).webhookSecret,
    /** @throws BankError when the bank refuses, or what the network says */
    async call<Reply>(
      method: 'GET' | 'PUT' | 'POST',
      path: string,
      { body, signal, traceparent }: Asked = {},
    ): Promise<Reply> {
      const { agent } = await keys();
      const text = body && JSON.stringify(body);
      const headers = {
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...(traceparent && { traceparent }),
      };
      const more = signal && { signal };
      return new Promise((resolve, reject) => {
        const asked = request(new URL(path, url), { method, agent, headers, ...more });
        asked.once('error', reject);
        asked.once('response', (reply) => {
          const status = reply.statusCode ?? 0;
          json(reply).then((said) => {
            if (status < 300) resolve(said as Reply);
            else reject(new BankError(status, said as object));
          }, reject);
        });
        asked.end(text);
      });
    },
    async close(): Promise<void> {
      const found = await opened?.catch(() => null);
      found?.agent.destroy();
    },
  };
}
export type Client = ReturnType<typeof openClient>;
