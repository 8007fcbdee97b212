import { setTimeout as sleep } from 'node:timers/promises';
import type { SimulateName } from '@tenant-payments/contract/catalog.ts';
import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import type { Command } from '../../engine/command.ts';
import { ApiError } from '../../engine/fail.ts';
import { closeCustomer } from '../../service/flows/close_account.ts';
import { createSession } from '../../service/flows/create_session.ts';
import { createCustomer } from '../../service/resources/customers/create.ts';
import { createDispute } from '../../service/resources/disputes/create.ts';
import { createLinkedAccount } from '../../service/resources/linked_accounts/create.ts';
import { createLoad } from '../../service/resources/loads/create.ts';
import { createPaymentRequest } from '../../service/resources/payment_requests/create.ts';
import { cancelPaymentRequest } from '../../service/resources/payment_requests/moves.ts';
import { openQrSigner } from '../../service/resources/payment_requests/qr.ts';
import { openQrReader } from '../../service/resources/payment_requests/qr_reader.ts';
import { createPayment } from '../../service/resources/payments/create.ts';
import { cancelPayment } from '../../service/resources/payments/moves.ts';
import { createRefund } from '../../service/resources/refunds/create.ts';
import { createWithdrawal } from '../../service/resources/withdrawals/create.ts';
import { openSandboxAggregator } from '../../service/sandbox/rails/aggregator.ts';
import { simulateEvent } from '../../service/sandbox/simulate/simulate.ts';
import type { Service } from '../../service/service.ts';
import { simulationsOf } from '../../start/composition.ts';
import type { ReplyBody } from '../kit/http/http.ts';

/** The outcome of a command: its reply, or the code of its refusal. */
export type Outcome =
  | { readonly code: 'done'; readonly text: string; readonly replayed: boolean }
  | { readonly code: ErrorCode };

export interface Sending {
  /** The engine that takes it: each is another process as far as the others can see. */
  readonly via?: number;
  /** Idempotency key, a uuid; copies of one command share it. */
  readonly key?: string;
  /** The reason that the actor of a simulation gives. */
  readonly failure_code?: string;
}

interface Simulated {
  readonly event: SimulateName;
  readonly object_id: string;
  readonly failure_code?: string;
}

/** The very commands behind the routes, without HTTP between. */
function commandsOf(service: Service) {
  const { config, environment, vault, db } = service;
  const signer = openQrSigner(config.qrSigningKeys, environment);
  const simulate = simulateEvent(simulationsOf(service), environment);
  return {
    createCustomer: createCustomer(vault),
    createSession,
    createLinkedAccount: createLinkedAccount(openSandboxAggregator(vault), vault),
    createLoad,
    createPaymentRequest: createPaymentRequest(signer),
    cancelPaymentRequest,
    createPayment: createPayment(openQrReader(db, signer)),
    cancelPayment,
    createWithdrawal,
    createRefund,
    createDispute: createDispute({ db }),
    closeCustomer: closeCustomer({ vault }),
    // A test may only name events that there are.
    simulate: simulate as unknown as Command<Simulated>,
  };
}

/** Sends commands for one tenant to one or several engines on the same database. */
export interface Sender {
  readonly commands: ReturnType<typeof commandsOf>;
  /** Sends as a client does: again after a 503. A refusal is an outcome like others. */
  send<Input, Loaded, Prepared>(
    command: Command<Input, Loaded, Prepared>,
    input: NoInfer<Input>,
    sending?: Sending,
  ): Promise<Outcome>;
  simulate(event: SimulateName, objectId: string, sending?: Sending): Promise<Outcome>;
  /** Asks the database; `$1` is the tenant, the values follow. */
  query<Row>(text: string, ...values: readonly unknown[]): Promise<Row[]>;
}

/** The record that an outcome shows. @throws when the command was refused */
export function recordOf(outcome: Outcome): ReplyBody {
  if (outcome.code !== 'done') throw new Error(`the command was refused: ${outcome.code}`);
  return JSON.parse(outcome.text);
}

const triesAfter503 = 50;
const longestPauseMs = 40;

/** Here one key never stands for two different requests, so it is its own fingerprint. */
const idempotencyOf = (key: string | undefined) =>
  key === undefined ? null : { keyHash: key, fingerprint: key };

export function openSender(services: readonly [Service, ...Service[]], tenantId: string): Sender {
  const [first] = services;
  const commands = commandsOf(first);
  const send: Sender['send'] = async (command, input, { via = 0, key } = {}) => {
    const { engine } = services[via] ?? first;
    const submission = { tenantId, input, idempotency: idempotencyOf(key) };
    for (let tries = 1; ; tries += 1) {
      try {
        const { body, replayed } = await engine.submit(command, submission);
        return { code: 'done', text: body, replayed };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status !== 503) return { code: error.code };
        if (tries > triesAfter503) throw error;
        await sleep(Math.random() * longestPauseMs);
      }
    }
  };
  return {
    commands,
    send,
    simulate: (event, object_id, { failure_code, ...sending } = {}) =>
      send(
        commands.simulate,
        { event, object_id, ...(failure_code ? { failure_code } : {}) },
        sending,
      ),
    query: async <Row>(text: string, ...values: readonly unknown[]) =>
      (await first.pool.query(text, [tenantId, ...values])).rows as Row[],
  };
}
