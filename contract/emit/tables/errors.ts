import { endpoints } from '../../catalog.ts';
import type { EndpointDefinition } from '../../core/endpoint.ts';
import {
  type ContractCode,
  type ErrorCode,
  errorStatus,
  generalErrors,
} from '../../core/errors.ts';
import { failureCodes } from '../../core/failure_codes.ts';
import { creditReasons, requestReasons } from '../../core/network_reasons.ts';
import { errorPages, mends, retries } from '../../errors/pages.ts';
import { provocations } from '../../errors/provoke.ts';
import { errorRemedies } from '../../resources/error_remedies.ts';
import { errorCodes, errorMeanings } from '../../resources/errors.ts';
import { code, codes, page, table } from './markdown.ts';
import { marked } from './sandbox_only.ts';
import { freshValues, shellOf } from './shell.ts';

const general: readonly ErrorCode[] = generalErrors;

/** The operations that answer a code, in words. */
function operationsWith(name: ContractCode): string {
  if (name === 'authentication_required') return 'Every operation but `createToken`.';
  if (general.includes(name)) return 'Every operation.';
  if (name === 'idempotency_key_missing') return 'Every operation that requires the header.';
  return table(
    ['operation', 'call'],
    Object.values<EndpointDefinition>(endpoints)
      .filter(({ errors }) => errors.includes(name))
      .map(({ id, method, path }) => [
        code(id),
        code(`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
      ]),
  );
}

const mendedBy = (name: ContractCode) =>
  errorPages[name].mends.map((who) => mends[who]).join('; or ');

function detailsOf(name: ContractCode): string {
  const { details } = errorMeanings[name];
  if (details === '') return 'None: `details` is null.';
  return table(
    ['field', 'present'],
    details
      .split(', ')
      .map((field) => [
        code(field.replace('?', '')),
        field.endsWith('?') ? 'may be absent' : 'always',
      ]),
  );
}

function provokedBy(name: ContractCode): string {
  const how = provocations[name];
  if ('told' in how) return how.told;
  const { before, call, after, note, fresh } = how;
  const lines = [
    ...(fresh ? [freshValues] : []),
    ...before.map(shellOf),
    `# answered with ${name}:`,
    shellOf(call),
    ...after.map(shellOf),
  ];
  const start =
    'In the shell of [the quickstart](../../guide/quickstart.md#2-take-the-keys), against the sandbox of `npm start`:';
  return [
    start,
    `\`\`\`sh\n${marked('sh', lines.join('\n'))}\n\`\`\``,
    ...(note ? [note] : []),
  ].join('\n\n');
}

/** The page of one code. */
function codePage(name: ContractCode): string {
  const { meaning, cause, retry } = errorPages[name];
  const status = name === 'internal_error' ? '500 or 503' : `${errorStatus[name]}`;
  return page(
    name,
    meaning,
    table(
      ['question', 'answer'],
      [
        ['HTTP status', status],
        ['Who mends it', mendedBy(name)],
        ['Send it again?', retries[retry]],
      ],
    ),
    `## Cause\n\n${cause}`,
    `## What to do\n\n${errorRemedies[name]}`,
    `## Details\n\n${detailsOf(name)}`,
    `## Operations\n\n${operationsWith(name)}`,
    `## How to provoke it\n\n${provokedBy(name)}`,
    'All codes: [Errors](../errors.md).',
  );
}

/** A page for each code, by its place below docs/reference. */
export const codePages = (): Readonly<Record<string, string>> =>
  Object.fromEntries(errorCodes.map((name) => [`errors/${name}.md`, codePage(name)]));

const bankFailures = [...new Set(Object.keys({ ...requestReasons, ...creditReasons }))];
const reasons = (table: Readonly<Record<string, readonly string[]>>, name: string): string =>
  (table[name] ?? []).join(', ');

/** Error codes by status, and the failure codes that records carry. */
export function errorsPage(): string {
  return page(
    'Errors',
    'Programs act on `error.code`. Each code has a page: its cause, what to do, whether to send the call again, which operations answer it, and how to provoke it in the sandbox. A `?` in details marks a value that may be absent.',
    table(
      ['code', 'when', 'status', 'who mends it', 'details'],
      errorCodes.map((name) => [
        `[${name}](errors/${name}.md)`,
        errorMeanings[name].when,
        `${errorStatus[name]}`,
        mendedBy(name),
        errorMeanings[name].details,
      ]),
    ),
    'The token endpoint takes no access token and never answers `authentication_required`.',
    '## Failure codes',
    'The values of `failure_code`, by resource.',
    table(
      ['resource', "the bank's or aggregator's", "the service's own"],
      Object.entries(failureCodes).map(([resource, { bank, own }]) => [
        resource,
        codes(bank),
        codes(own),
      ]),
    ),
    '## Bank reasons',
    'The customer is the debtor of a request (load, payment by bank) and the creditor of a transfer (withdrawal, refund to a bank).',
    table(
      ['failure code', 'of a request', 'of a transfer'],
      bankFailures.map((name) => [
        code(name),
        reasons(requestReasons, name),
        reasons(creditReasons, name),
      ]),
    ),
  );
}
