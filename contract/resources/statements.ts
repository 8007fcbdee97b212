import Type, { type Static } from 'typebox';
import { endpoint } from '../core/endpoint.ts';
import { lifecycle } from '../core/lifecycle.ts';
import { Cents, Currency } from '../core/money.ts';
import { lifetimes } from '../core/numbers.ts';
import { List, pageQuery } from '../core/page.ts';
import { recordRead } from '../core/reads.ts';
import { Closed, Day, Id, IdInput, Instant } from '../core/schema.ts';

/** Made once and never changed (rules/reports#16). */
export const statementLifecycle = lifecycle('statement', ['available'], {
  issue: { from: 'new', to: 'available', by: 'service', event: 'statement.available' },
});

/** Lifetime of a statement's address, in seconds of real time (rules/limits#17). */
export const statementLinkSeconds = lifetimes.statementAddress;

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
    description:
      'Time-limited address of the PDF, with `?language=es` in Spanish; request the statement again for a fresh one',
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

export const getStatement = recordRead(
  'getStatement',
  '/v1/statements/:id',
  'Get a statement, with a fresh address of its PDF',
  Statement,
);
