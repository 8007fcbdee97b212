import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { pino } from 'pino';
import { buildService, closeService } from '../../service/app.ts';
import type { Command } from '../../service/core/command.ts';
import { ApiError } from '../../service/core/fail.ts';
import type { Service } from '../../service/service.ts';
import { testDatabase } from '../harness/database.ts';
import type { ReplyBody } from '../harness/http.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** What became of a command: its reply, or the code of its refusal. */
export type Outcome =
  | { readonly code: null; readonly body: ReplyBody; readonly text: string; readonly replayed: boolean }
  | { readonly code: ErrorCode };

export interface Sending {
  /** The engine that takes it: 0 or 1, each as in a process of its own. */
  readonly via: number;
  readonly tenantId?: string;
  /** Idempotency key; copies of one command share it. */
  readonly key?: string;
}

/** One database under two services, and a way to send commands to the engine of either. */
export interface RaceHouse {
  readonly first: TestService;
  readonly services: readonly [Service, Service];
  readonly tenantId: string;
  /** Sends a command as HTTP would, again after a 503, and never rejects for a refusal. */
  send<Input, Loaded, Prepared>(
    command: Command<Input, Loaded, Prepared>,
    input: NoInfer<Input>,
    sending: Sending,
  ): Promise<Outcome>;
  /** How often a 503 was answered and the command sent again. */
  readonly resent: () => number;
  query<Row>(text: string, values: readonly unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

const triesAfter503 = 50;
const longestPauseMs = 40;

/** A key and what it stands for; here one key is never used for two different requests. */
const idempotencyOf = (key: string | undefined) =>
  key === undefined ? null : { keyHash: key, fingerprint: key };

export const newKey = (): string => randomUUID();

/** The uuid of a wire id that a reply showed. */
export function uuid(kind: Parameters<typeof publicId>[0], id: string): string {
  const found = uuidOf(kind, id);
  if (found === null) throw new Error(`${id} is no id of a ${kind}`);
  return found;
}

/** Starts both services. The second has everything of its own but the database and the secrets. */
export async function openRaceHouse(): Promise<RaceHouse> {
  const database = await testDatabase();
  const first = await startTestService({ database, tenant: { sample: true } });
  const second = await buildService(first.service.config, {
    databaseUrl: database.url,
    log: pino({ level: 'error' }),
  });
  const services = [first.service, second] as const;
  let resent = 0;

  const send: RaceHouse['send'] = async (command, input, { via, tenantId, key }) => {
    const submission = {
      tenantId: tenantId ?? first.tenant.tenantId,
      input,
      idempotency: idempotencyOf(key),
    };
    for (let tries = 1; ; tries += 1) {
      try {
        const { engine } = services[via % 2] ?? second;
        const { body, replayed } = await engine.submit(command, submission);
        return { code: null, body: JSON.parse(body), text: body, replayed };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status !== 503) return { code: error.code };
        if (tries > triesAfter503) throw error;
        resent += 1;
        await sleep(Math.random() * longestPauseMs);
      }
    }
  };

  return {
    first,
    services,
    tenantId: first.tenant.tenantId,
    send,
    resent: () => resent,
    query: async <Row>(text: string, values: readonly unknown[]) =>
      (await first.service.pool.query(text, [...values])).rows as Row[],
    async stop() {
      await closeService(second);
      await first.stop();
      await database.drop();
    },
  };
}
