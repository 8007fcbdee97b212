import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { Cents, Currency } from '../core/money.ts';
import { List, pageQuery } from '../core/page.ts';
import { Closed, Day, Id, IdInput, Instant } from '../core/schema.ts';

/** Made once and never changed (decisions 2.3, Statements). */
export const statementLifecycle = lifecycle('statement', ['available'], {
  issue: { from: 'new', to: 'available', by: 'service', event: 'statement.available' },
});

/** How long a statement's address opens, in seconds of real time (decisions 1.8, Lifetimes). */
export const statementLinkSeconds = 15 * 60;

export const Statement = Closed({
  id: Id('Statement identifier'),
  object: Type.Literal('statement'),
  account_id: Id('Account'),
  period_start: Day('First day, in Eastern Time'),
  period_end: Day('Last day, in Eastern Time'),
  opening_balance: Cents,
  closing_balance: Cents,
  currency: Currency,
  download_url: Type.String({
    description: 'Time-limited address of the PDF; request the statement again for a fresh one',
  }),
  download_url_expires_at: Instant('In real time'),
  available_at: Instant('Time of the statement'),
});
export type Statement = Static<typeof Statement>;

export const listStatements = endpoint({
  id: 'listStatements',
  method: 'GET',
  path: '/v1/accounts/:id/statements',
  summary: 'List the statements of an account, newest first',
  idempotent: 'none',
  params: Closed({ id: IdInput('Account identifier') }),
  query: Closed({ ...pageQuery }),
  success: { status: 200, schema: List(Statement) },
  errors: ['not_found'],
});
