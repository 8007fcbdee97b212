import { List, pageQuery } from '@tenant-payments/contract/core/page.ts';
import {
  Closed,
  Day,
  Id,
  IdInput,
  Instant,
  Nullable,
  OneOf,
  Readable,
} from '@tenant-payments/contract/core/schema.ts';
import Type, { type Static } from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** The bank's statement of a day beside the cash of the ledger (rules/money-desk#10). */

/** The columns of the file. `amount` is dollars, `amount_cents` cents; one of the two is given. */
export const statementColumns = {
  required: ['date', 'reference'],
  amounts: ['amount', 'amount_cents'],
  optional: ['description', 'closing_balance'],
} as const;

/** The most that one statement may hold. */
export const statementLimits = {
  lines: 10_000,
  characters: 2_000_000,
  bytes: 3_000_000,
  cell: 500,
} as const;

const SignedCents = (description: string) =>
  Type.Integer({ description: `Integer cents; ${description}` });

export const BankStatement = Closed({
  id: Id('The statement'),
  object: Type.Literal('bank_statement'),
  tenant_id: Nullable(Id('Whose bank account it is of; null: the pooled one')),
  tenant_name: Nullable(Type.String({ description: "The Tenant's name" })),
  day: Day('In Eastern Time'),
  file_name: Type.String(),
  sha256: Type.String({ description: 'Of the file, in hexadecimal digits' }),
  lines: Type.Integer({ minimum: 0 }),
  total: SignedCents('the sum of its lines'),
  closing_balance: Nullable(SignedCents('as the bank says; null: the file does not')),
  uploaded_by: Type.String({ description: 'Name; the kind of caller where it is no person' }),
  uploaded_at: Instant('In real time'),
});
export type BankStatement = Static<typeof BankStatement>;

export const differenceKinds = ['bank_only', 'ledger_only', 'other_amount'] as const;

/** Differences that are listed at most. */
export const maximumDifferences = 500;

/** The findings of staff about a difference. */
export const DifferenceNote = Closed({
  note: Type.String(),
  cleared: Type.Boolean({ description: 'With it the difference is cleared up' }),
  by: Type.String({ description: 'Name; the kind of caller where it is no person' }),
  created_at: Instant('In real time'),
});
export type DifferenceNote = Static<typeof DifferenceNote>;

export const StatementComparison = Closed({
  object: Type.Literal('statement_comparison'),
  statement: BankStatement,
  ties: Type.Boolean({
    description: 'No difference; the closing balance is equal too, where the file has one',
  }),
  ledger_total: SignedCents('what the ledger posted on cash on that day'),
  ledger_closing_balance: SignedCents('cash in the ledger at the end of that day'),
  customers_closing_balance: SignedCents(
    'what customers have at the end of that day: a smaller closing balance at the bank is short of their money',
  ),
  matched_by_reference: Type.Integer({ minimum: 0 }),
  matched_by_amount: Type.Integer({
    minimum: 0,
    description: 'Matched by amount and date alone, since the references say nothing',
  }),
  differences_count: Type.Integer({ minimum: 0 }),
  open_count: Type.Integer({ minimum: 0, description: 'Differences that nobody has cleared up' }),
  differences: Type.Array(
    Closed({
      key: Type.String({ description: 'By which a note names it' }),
      kind: OneOf(differenceKinds),
      line: Nullable(Type.Integer({ description: 'In the file; null: the bank has none' })),
      bank_amount: Nullable(SignedCents('at the bank')),
      ledger_amount: Nullable(SignedCents('in the ledger')),
      reference: Nullable(Type.String({ description: "The bank's" })),
      description: Nullable(Type.String({ description: "The bank's" })),
      tenant_id: Nullable(Id('Whose posting it is')),
      source_id: Nullable(Id('The record whose move posted it')),
      step: Nullable(Type.String({ description: 'The recipe' })),
      posted_at: Nullable(Instant("On the Tenant's clock")),
      cleared: Type.Boolean({ description: 'As its last note says' }),
      notes: Type.Array(DifferenceNote, { description: 'Oldest first' }),
    }),
    { description: `At most ${maximumDifferences}` },
  ),
});
export type StatementComparison = Static<typeof StatementComparison>;
export type StatementDifference = StatementComparison['differences'][number];

const byReviewer = {
  idempotent: 'none',
  may: ['reviewer'],
  of: 'platform',
  ownTenant: true,
} as const;

export const listBankStatements = portalEndpoint({
  id: 'listBankStatements',
  method: 'GET',
  path: '/portal/api/bank-statements',
  summary: 'List the statements of the bank that were uploaded, newest first',
  ...byReviewer,
  query: Closed({
    tenant_id: Type.Optional(IdInput("Of this Tenant's bank account alone")),
    ...pageQuery,
  }),
  success: { status: 200, schema: List(BankStatement) },
  errors: ['parameter_invalid'],
});

export const uploadBankStatement = portalEndpoint({
  id: 'uploadBankStatement',
  method: 'POST',
  path: '/portal/api/bank-statements',
  summary: "Upload the bank's statement of a day; a file with a bad line is refused whole",
  ...byReviewer,
  // Each character of the file may be escaped.
  largestBody: 5 * 2 ** 20,
  body: Closed({
    tenant_id: Nullable(IdInput('Whose bank account it is of; null: the pooled one')),
    day: Day('In Eastern Time'),
    file_name: Readable(200),
    file: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: Math.ceil(statementLimits.bytes / 3) * 4,
        pattern: '^[A-Za-z0-9+/]+={0,2}$',
        contentEncoding: 'base64',
        description:
          'The bytes of the file in base64: CSV (RFC 4180), its first line the names of the columns, or BAI2; UTF-8, UTF-16 with its mark, or Windows-1252',
      }),
    ),
    csv: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: statementLimits.characters,
        description: 'In place of the bytes: the text of the file, which is then hashed as UTF-8',
      }),
    ),
  }),
  success: { status: 201, schema: BankStatement },
  errors: ['parameter_missing', 'parameter_invalid', 'not_found', 'invalid_state'],
});

export const compareBankStatement = portalEndpoint({
  id: 'compareBankStatement',
  method: 'GET',
  path: '/portal/api/bank-statements/:id',
  summary: 'Compare a statement of the bank with the cash of the ledger, line by line',
  ...byReviewer,
  params: Closed({ id: IdInput('The statement') }),
  success: { status: 200, schema: StatementComparison },
  errors: ['not_found'],
});

export const noteBankDifference = portalEndpoint({
  id: 'noteBankDifference',
  method: 'POST',
  path: '/portal/api/bank-statements/:id/notes',
  summary: 'Write down what a difference is, and whether it is cleared up; the note stays',
  ...byReviewer,
  params: Closed({ id: IdInput('The statement') }),
  body: Closed({
    difference: Readable(300),
    note: Readable(1_000),
    cleared: Type.Boolean({ description: 'False opens it again' }),
  }),
  success: { status: 201, schema: StatementComparison },
  errors: ['parameter_missing', 'parameter_invalid', 'not_found'],
});

export const SandboxBankStatement = Closed({
  object: Type.Literal('sandbox_bank_statement'),
  file_name: Type.String(),
  csv: Type.String(),
});

export const getSandboxBankStatement = portalEndpoint({
  id: 'getSandboxBankStatement',
  method: 'GET',
  path: '/portal/api/sandbox/bank-statement',
  summary: "Get the statement that the sandbox's bank makes of a day, as a file to upload",
  ...byReviewer,
  sandboxOnly: true,
  query: Closed({
    tenant_id: IdInput('Whose bank account'),
    day: Day('In Eastern Time'),
  }),
  success: { status: 200, schema: SandboxBankStatement },
  errors: ['parameter_missing', 'parameter_invalid', 'not_found'],
});
