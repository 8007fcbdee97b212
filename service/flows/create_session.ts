import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type {
  createSession as contract,
  Flow,
  Target as NamedTarget,
} from '@tenant-payments/contract/resources/sessions.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { ApiError, fail } from '@tenant-payments/engine/fail.ts';
import type { Read } from '@tenant-payments/engine/load/reader.ts';
import type { Environment } from '@tenant-payments/engine/production.ts';
import type { AnyTable } from '@tenant-payments/engine/table.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { registeredIn } from '../registered.ts';
import { accounts } from '../resources/accounts/table.ts';
import { assertMayOnboard } from '../resources/customers/onboarding.ts';
import { type CustomerRow, customers } from '../resources/customers/table.ts';
import { endSession, loadNamed, openSession } from '../resources/sessions/open.ts';
import { assertOpenTarget, readTarget, type Target } from './confirm.ts';
import { deadlineJob } from './end_session.ts';

type Input = BodyOf<typeof contract>;

/** The column of a customer's live session, by flow: a row names the one that may exist only once. */
export const sessionColumn = {
  onboarding: 'onboarding_session_id',
  pin_reset: 'pin_reset_session_id',
  contact_change: 'contact_change_session_id',
  terms_acceptance: 'terms_session_id',
} as const satisfies Record<Exclude<Flow, 'payment_confirm'>, keyof CustomerRow>;

const invalid = (reason: string, param: string) =>
  fail('session_invalid', { param, details: { reason } });

/** In production also of one that the settings have: they may be those of a sandbox (rules/sandbox#48). */
const notRegistered = (environment: Environment, return_url: string) =>
  environment === 'production' && return_url.startsWith('http:')
    ? fail('session_invalid', {
        param: 'return_url',
        details: { reason: 'return_url_not_registered' },
        message: 'return_url begins with http://, and production takes https:// alone',
      })
    : invalid('return_url_not_registered', 'return_url');

/** An unknown target is `session_invalid` here, not 404 (rules/sessions#6). */
async function targetOrNull(read: Read, named: NamedTarget | null): Promise<Target | null> {
  const uuid = named && uuidOf(named.type, named.id);
  if (!uuid) return null;
  try {
    return await readTarget(read, named.type, uuid);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}

/**
 * The order of the reasons, and of these checks before those of the state, is rules/sessions#6.
 * @throws ApiError session_invalid {reason}
 */
function checkTarget(work: Work, input: Input, customer: CustomerRow, target: Target | null): void {
  if (input.target && !target) throw invalid('target_not_found', 'target.id');
  if (target && target.customerId !== customer.id)
    throw invalid('target_of_other_customer', 'target.id');
  if (target && input.flow !== 'payment_confirm') throw invalid('target_not_allowed', 'target');
  const { return_url } = input;
  if (!return_url) return;
  const { return_urls } = work.tenant.settings;
  work.obey('local_return_url', (environment) =>
    registeredIn(environment, return_urls).includes(return_url)
      ? null
      : notRegistered(environment, return_url),
  );
}

/** Checks that the flow's target is in a state for it. @throws ApiError invalid_state (rules/sessions#7) */
function checkState(work: Work, { flow }: Input, customer: CustomerRow, target: Target | null) {
  if (target) assertOpenTarget(target);
  if (flow === 'onboarding') assertMayOnboard(work, customer);
  if (customer.withdrawn_reason !== null)
    throw fail('invalid_state', {
      details: { current_status: customer.status, allowed: [], reason: 'withdrawn' },
    });
  const needsPin = flow === 'pin_reset' || flow === 'contact_change';
  if (needsPin && !customer.pin_set)
    throw fail('invalid_state', {
      details: { current_status: customer.status, allowed: ['approved'], reason: 'no_pin' },
    });
}

/** POST /v1/sessions: starts a flow, or replaces the session that stands for it. */
export const createSession = command('create_session', {
  prepare: async (input: Input) => {
    if (input.flow === 'payment_confirm' && !input.target)
      throw fail('parameter_missing', { param: 'target' });
  },
  load: async (read, input) => {
    const [customer, target] = await Promise.all([
      read.maybe(customers, uuidOf('customer', input.customer_id)),
      targetOrNull(read, input.target ?? null),
    ]);
    const { flow } = input;
    const column = flow === 'payment_confirm' ? null : sessionColumn[flow];
    const [account, own] = await Promise.all([
      read.maybe(accounts, customer?.account_id ?? null),
      loadNamed(read, (column && customer?.[column]) ?? null),
    ]);
    return { customer, target, account, own };
  },
  decide: (work, { customer, target, account, own }, input) => {
    if (!customer) throw invalid('customer_not_found', 'customer_id');
    checkTarget(work, input, customer, target);
    checkState(work, input, customer, target);
    if (account?.status === 'closed')
      throw fail('account_restricted', { details: { reason: 'closed' } });
    const opened = openSession(work, {
      flow: input.flow,
      customerId: customer.id,
      target: target && { type: target.type, id: target.row.id },
      returnUrl: input.return_url ?? null,
    });
    if (input.flow !== 'payment_confirm') {
      const column = sessionColumn[input.flow];
      endSession(work, customer[column], own);
      work.change(customer, { [column]: opened.row.id });
    } else if (target) {
      endSession(work, target.row.session_id, target.session);
      work.change<AnyTable>(target.row, { session_id: opened.row.id });
      work.cancelJob(deadlineJob(target.type), target.row.id);
    }
    const { row, token } = opened;
    return { record: row, once: { field: 'token', value: token, token, sessionId: row.id } };
  },
});
